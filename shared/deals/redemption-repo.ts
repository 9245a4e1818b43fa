import { eq, inArray, sql } from "drizzle-orm";
import type { Context, Write } from "../database/index.ts";
import type { Discount } from "../pricing/index.ts";
import { offeredIds } from "./offer-repo.ts";
import { dealRedemptions, deals } from "./tables.ts";

export type Redeemed = Readonly<{
  orderId: string;
  customerKey: string;
  discounts: readonly Pick<Discount, "dealId" | "code" | "amountMinor">[];
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
  const usesOf = (customerKey: string, isCounted = sql`1`) => sql`(select count(*)
    from ${dealRedemptions} as earlier
    where earlier.deal_id = deals.id and earlier.customer_key = ${customerKey} and ${isCounted})`;

  const counted = (orderId: string, by: 1 | -1): Write =>
    db
      .update(deals)
      .set({ timesRedeemed: sql`${deals.timesRedeemed} + ${by}` })
      .where(inArray(deals.id, ofOrder(orderId)));

  return {
    /**
     * Goes behind the order's own row, which a repeat meets first; fails as `usedUpIn` knows. Each row
     * is short of what its deal is short of, the coupon's first.
     */
    redeem({ orderId, customerKey, discounts }: Redeemed): Write[] {
      if (discounts.length === 0) return [];
      const coupons = discounts.filter(({ code }) => code !== null);
      const automatic = discounts.filter(({ code }) => code === null);
      const parts = JSON.stringify(
        [...coupons, ...automatic].map(({ dealId, amountMinor }) => ({ dealId, amountMinor })),
      );
      const isLeft = sql`coalesce(deals.times_redeemed < deals.usage_limit, 1)
        and coalesce(${usesOf(customerKey)} < deals.per_customer_limit, 1)`;
      const rows = sql`select ${orderId}, deals.id, deals.business_id, ${customerKey},
          1 + ${usesOf(customerKey)}, deals.per_customer_limit,
          iif(deals.code_key is null or ${isLeft}, part.value ->> 'amountMinor', null),
          iif(deals.code_key is not null or ${isLeft}, ${now()}, null)
        from json_each(${parts}) as part
        join ${deals} on deals.id = part.value ->> 'dealId' and +deals.business_id = ${business.id}`;
      return [db.insert(dealRedemptions).select(rows), counted(orderId, 1)];
    },

    /** Gives the order's uses back; nothing for an order without. */
    release: (orderId: string): Write[] => [
      counted(orderId, -1),
      db.delete(dealRedemptions).where(eq(dealRedemptions.orderId, orderId)),
    ],

    /**
     * A query for what a cart with a code may have, but for this customer's uses or anybody's, which are
     * used up. The uses of the orders that are given back with the same batch do not count.
     */
    usedUp: (
      customerKey: string,
      { couponCode, givenBack }: { couponCode: string | null; givenBack: readonly string[] },
    ) => {
      const isGivenBack = sql`earlier.order_id in (select value from json_each(${JSON.stringify(givenBack)}))`;
      const returned = sql`(select count(*) from ${dealRedemptions} as earlier
        where ${isGivenBack} and earlier.deal_id = deals.id)`;
      return db
        .select({ id: deals.id })
        .from(deals)
        .where(
          sql`${deals.id} in (${offeredIds(business, couponCode, now())})
            and (${deals.timesRedeemed} - ${returned} >= ${deals.usageLimit}
              or ${usesOf(customerKey, sql`not ${isGivenBack}`)} >= ${deals.perCustomerLimit})`,
        );
    },
  };
}

/** Which of an order's deals had no uses left when its batch failed; null: it failed on something else. */
export function usedUpIn(message: string): "coupon" | "automatic" | null {
  if (message.includes("deal_redemptions.amount_minor")) return "coupon";
  return message.includes("deal_redemptions.redeemed_at") ? "automatic" : null;
}
