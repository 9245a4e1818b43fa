import { eq, inArray, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { Discount } from "../pricing/index.ts";
import { dealRedemptions, deals } from "./tables.ts";

export type Redeemed = Readonly<{
  orderId: string;
  customerKey: string;
  discounts: readonly Pick<Discount, "dealId" | "amountMinor">[];
}>;

/** The uses of deals. Their limits are the tables' own constraints: parallel orders cannot exceed them. */
export function redemptionRepo({ db, business, now }: Pick<Context, "db" | "business" | "now">) {
  const ofOrder = (orderId: string) =>
    db
      .select({ dealId: dealRedemptions.dealId })
      .from(dealRedemptions)
      .where(
        sql`${dealRedemptions.orderId} = ${orderId} and ${dealRedemptions.businessId} = ${business.id}`,
      );

  /** The customer's uses of a deal of the statement that this goes into. */
  const usesOf = (customerKey: string) => sql`(select count(*) from ${dealRedemptions} as earlier
    where earlier.deal_id = deals.id and earlier.customer_key = ${customerKey})`;

  const counted = (orderId: string, by: 1 | -1): Write =>
    db
      .update(deals)
      .set({ timesRedeemed: sql`${deals.timesRedeemed} + ${by}` })
      .where(inArray(deals.id, ofOrder(orderId)));

  return {
    /** Goes behind the order's own row, which a repeat meets first; fails as `isUsedUp` knows. */
    redeem({ orderId, customerKey, discounts }: Redeemed): Write[] {
      if (discounts.length === 0) return [];
      const parts = JSON.stringify(
        discounts.map(({ dealId, amountMinor }) => ({ dealId, amountMinor })),
      );
      const rows = sql`select ${orderId}, deals.id, deals.business_id, ${customerKey},
          1 + ${usesOf(customerKey)}, deals.per_customer_limit, part.value ->> 'amountMinor', ${now()}
        from json_each(${parts}) as part
        join ${deals} on deals.id = part.value ->> 'dealId' and deals.business_id = ${business.id}`;
      return [db.insert(dealRedemptions).select(rows), counted(orderId, 1)];
    },

    /** Gives the order's uses back; nothing for an order without. */
    release: (orderId: string): Write[] => [
      counted(orderId, -1),
      db.delete(dealRedemptions).where(eq(dealRedemptions.orderId, orderId)),
    ],

    /** Those of the deals that this customer cannot have any more. */
    async findUsedUp(
      dealIds: readonly string[],
      customerKey: string,
    ): Promise<ReadonlySet<string>> {
      const rows = await db
        .select({ id: deals.id })
        .from(deals)
        .where(
          sql`${deals.id} in (select value from json_each(${JSON.stringify(dealIds)}))
            and ${deals.businessId} = ${business.id}
            and (${deals.timesRedeemed} >= ${deals.usageLimit}
              or ${usesOf(customerKey)} >= ${deals.perCustomerLimit})`,
        );
      return new Set(rows.map(({ id }) => id));
    },
  };
}

/** Whether a batch failed because a deal had no uses left. */
export const isUsedUp = (message: string): boolean =>
  /deals_usage|deal_redemptions_per_customer/.test(message);
