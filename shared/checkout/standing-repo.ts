import { sql } from "drizzle-orm";
import { type Companion, companionOf } from "../catalogue/index.ts";
import { reading } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { type PaidOrder, paidOrdersOf, recordQueries } from "../orders/index.ts";
import type { CheckoutContext } from "./context.ts";
import type { UsedUp } from "./used-up-deals.ts";

/** What a checkout that goes on finds: its order, should an earlier run have placed it. */
export type Standing = Readonly<{
  paid: PaidOrder | null;
  /** Those of the orders that it takes the place of which were placed. */
  earlier: readonly PaidOrder[];
  usedUp: UsedUp;
}>;

type Sought = Readonly<{
  orderId: string;
  earlierIds: readonly string[];
  customerKey: string;
  couponCode: string | null;
}>;

/** All in one round trip, so that a run that goes on needs no more of them than a first one. */
export async function findStanding(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { orderId, earlierIds, customerKey, couponCode }: Sought,
): Promise<Standing> {
  const [usedUp, ...rows] = await ctx.db.batch([
    redemptionRepo(ctx).usedUp(customerKey, { couponCode, givenBack: earlierIds }),
    ...recordQueries(ctx, listed([orderId, ...earlierIds])),
  ]);
  const found = paidOrdersOf(rows).map(({ paid }) => paid);
  return {
    paid: found.find(({ order }) => order.id === orderId) ?? null,
    earlier: found.filter(({ order }) => order.id !== orderId),
    usedUp: new Set(usedUp.map(({ id }) => id)),
  };
}

export type SoughtOrders = Readonly<{
  companions: readonly Companion[];
  find: () => Promise<readonly PaidOrder[]>;
}>;

/** Those of these orders that were placed, as companions of the products' read; nothing is asked for none. */
export function soughtOrders(
  ctx: Pick<CheckoutContext, "db" | "business">,
  orderIds: readonly string[],
): SoughtOrders {
  if (orderIds.length === 0) return { companions: [], find: async () => [] };
  const queries = recordQueries(ctx, listed(orderIds));
  const { show } = reading(queries, (rows) => paidOrdersOf(rows).map(({ paid }) => paid));
  const taken = new Map<number, unknown>();
  return {
    companions: queries.map((query, index) =>
      companionOf(query, (answer) => taken.set(index, answer)),
    ),
    find: async () =>
      show(
        taken.size === queries.length
          ? queries.map((_, index) => taken.get(index))
          : await ctx.db.batch(queries),
      ),
  };
}

const listed = (ids: readonly string[]) =>
  sql`(select value from json_each(${JSON.stringify(ids)}))`;
