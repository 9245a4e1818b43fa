import { type SQL, sql } from "drizzle-orm";
import { type Companion, companionOf } from "../catalogue/index.ts";
import { reading } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import {
  idsOfCart,
  type OrderRecord,
  type PaidOrder,
  paidOrdersOf,
  recordQueries,
} from "../orders/index.ts";
import type { CheckoutContext } from "./context.ts";
import type { UsedUp } from "./used-up-deals.ts";

/** What a checkout that goes on finds: its order, should an earlier run have placed it. */
export type Standing = Readonly<{
  paid: PaidOrder | null;
  earlier: CartsOrders;
  usedUp: UsedUp;
}>;

/** What was placed of a cart before. */
export type CartsOrders = Readonly<{
  /** Those that were asked for by their ids, and what is not over of the others. */
  orders: readonly PaidOrder[];
  /** The cart's next turn, as far as is known (`orders_of_cart` in shared/orders/tables.ts). */
  turn: number;
}>;

/** Of a cart that nothing is known to be ordered from: should something be, the turn is taken. */
const nothingOrdered: CartsOrders = { orders: [], turn: 1 };

type Sought = Readonly<{
  orderId: string;
  cartId: string;
  /** The orders that it takes the place of, as far as they are known; those of the cart are found as well. */
  earlierIds: readonly string[];
  customerKey: string;
  couponCode: string | null;
}>;

/** All in one round trip, so that a run that goes on needs no more of them than a first one. */
export async function findStanding(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { orderId, cartId, earlierIds, customerKey, couponCode }: Sought,
): Promise<Standing> {
  const [usedUp, ...rows] = await ctx.db.batch([
    redemptionRepo(ctx).usedUp(customerKey, { couponCode, givenBack: earlierIds }),
    ...recordQueries(ctx, listed(ctx, [orderId, ...earlierIds], cartId)),
  ]);
  const found = paidOrdersOf(rows);
  const isOwn = ({ paid }: OrderRecord) => paid.order.id === orderId;
  return {
    paid: found.find(isOwn)?.paid ?? null,
    earlier: ofCart(
      found.filter((one) => !isOwn(one)),
      { orderIds: earlierIds, cartId },
    ),
    usedUp: new Set(usedUp.map(({ id }) => id)),
  };
}

export type SoughtOrders = Readonly<{
  companions: readonly Companion[];
  find: () => Promise<CartsOrders>;
}>;

type Asked = Readonly<{ orderIds: readonly string[]; cartId: string | null }>;

/**
 * Those of these orders that were placed, and what else was ordered from a cart that is named, as
 * companions of the products' read; nothing is asked for none.
 */
export function soughtOrders(
  ctx: Pick<CheckoutContext, "db" | "business">,
  asked: Asked,
): SoughtOrders {
  const { orderIds, cartId } = asked;
  if (orderIds.length === 0 && cartId === null) {
    return { companions: [], find: async () => nothingOrdered };
  }
  const queries = recordQueries(ctx, listed(ctx, orderIds, cartId));
  const { show } = reading(queries, (rows) => ofCart(paidOrdersOf(rows), asked));
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

function listed(
  ctx: Pick<CheckoutContext, "business">,
  ids: readonly string[],
  cartId: string | null,
): SQL {
  const named = sql`select value from json_each(${JSON.stringify(ids)})`;
  return cartId === null ? sql`(${named})` : sql`(${named} union ${idsOfCart(ctx, cartId)})`;
}

/** How the payment of one that is over stands was asked when it ended: no checkout has to wait for that again. */
function ofCart(records: readonly OrderRecord[], { orderIds, cartId }: Asked): CartsOrders {
  const taken = records.map((one) => (one.ofCart?.cartId === cartId ? one.ofCart.turn : 0));
  const orders = records
    .map(({ paid }) => paid)
    .filter(({ order }) => order.status !== "cancelled" || orderIds.includes(order.id));
  return { orders, turn: Math.max(0, ...taken) + 1 };
}
