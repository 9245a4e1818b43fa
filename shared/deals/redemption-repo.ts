import { eq, inArray, sql } from "drizzle-orm";
import type { ConstraintName, Context, Write } from "../database/index.ts";
import type { Discount } from "../pricing/index.ts";
import { offeredDealIdsQuery } from "./offer-repo.ts";
import { dealRedemptions, deals } from "./tables.ts";

export type OrderRedemptions = Readonly<{
  orderId: string;
  customerKey: string;
  discounts: readonly Pick<Discount, "dealId" | "code" | "amountMinor">[];
}>;

/** Selects deals for a cart: its coupon code, and the orders whose uses do not count. */
export type CartDealFilter = Readonly<{
  couponCode: string | null;
  releasedOrderIds: readonly string[];
}>;

/**
 * Redemptions of deals. Table constraints enforce the usage limits, so concurrent orders cannot
 * exceed them.
 */
export function redemptionRepo({ db, business, now }: Pick<Context, "db" | "business" | "now">) {
  const orderDealIds = (orderId: string) =>
    db
      .select({ dealId: dealRedemptions.dealId })
      .from(dealRedemptions)
      .where(
        sql`${dealRedemptions.orderId} = ${orderId} and ${dealRedemptions.businessId} = ${business.id}`,
      );

  /**
   * SQL for the number of times a customer used a deal. For statements that read the table `deals`.
   */
  const useCount = (customerKey: string, isCounted = sql`1`) => sql`(select count(*)
    from ${dealRedemptions} as earlier
    where earlier.deal_id = deals.id and earlier.customer_key = ${customerKey} and ${isCounted})`;

  const changeUseCounts = (orderId: string, change: 1 | -1): Write =>
    db
      .update(deals)
      .set({ timesRedeemed: sql`${deals.timesRedeemed} + ${change}` })
      .where(inArray(deals.id, orderDealIds(orderId)));

  return {
    /**
     * Writes that redeem deals; they must follow the insert of the order. When a deal is exhausted,
     * a NULL fails the batch; the column differs for coupons and automatic deals.
     * `exhaustedDealType` recognises the error.
     */
    redeem({ orderId, customerKey, discounts }: OrderRedemptions): Write[] {
      if (discounts.length === 0) return [];
      const coupons = discounts.filter(({ code }) => code !== null);
      const automatic = discounts.filter(({ code }) => code === null);
      const parts = JSON.stringify(
        [...coupons, ...automatic].map(({ dealId, amountMinor }) => ({ dealId, amountMinor })),
      );
      const hasUsesLeft = sql`coalesce(deals.times_redeemed < deals.usage_limit, 1)
        and coalesce(${useCount(customerKey)} < deals.per_customer_limit, 1)`;
      const redemptionRows = sql`select ${orderId}, deals.id, deals.business_id, ${customerKey},
          1 + ${useCount(customerKey)}, deals.per_customer_limit,
          iif(deals.code_key is null or ${hasUsesLeft}, part.value ->> 'amountMinor', null),
          iif(deals.code_key is not null or ${hasUsesLeft}, ${now()}, null)
        from json_each(${parts}) as part
        join ${deals} on deals.id = part.value ->> 'dealId' and +deals.business_id = ${business.id}`;
      return [db.insert(dealRedemptions).select(redemptionRows), changeUseCounts(orderId, 1)];
    },

    /**
     * Writes that release the redemptions of an order, so that the deals can be used again. Without
     * redemptions they change nothing.
     */
    release: (orderId: string): Write[] => [
      changeUseCounts(orderId, -1),
      db.delete(dealRedemptions).where(eq(dealRedemptions.orderId, orderId)),
    ],

    /**
     * Selects the deals of a cart that are exhausted, either in total or for this customer. Uses by
     * orders that the same batch releases do not count.
     */
    exhaustedDealsQuery: (
      customerKey: string,
      { couponCode, releasedOrderIds }: CartDealFilter,
    ) => {
      const isReleased = sql`earlier.order_id in (select value from json_each(${JSON.stringify(releasedOrderIds)}))`;
      const releasedCount = sql`(select count(*) from ${dealRedemptions} as earlier
        where ${isReleased} and earlier.deal_id = deals.id)`;
      return db
        .select({ id: deals.id })
        .from(deals)
        .where(
          sql`${deals.id} in (${offeredDealIdsQuery(business, couponCode, now())})
            and (${deals.timesRedeemed} - ${releasedCount} >= ${deals.usageLimit}
              or ${useCount(customerKey, sql`not ${isReleased}`)} >= ${deals.perCustomerLimit})`,
        );
    },
  };
}

/**
 * The kind of deal whose exhaustion failed the batch of an order. Null when the batch failed for
 * another reason.
 */
export function exhaustedDealType(
  constraint: ConstraintName | null,
): "coupon" | "automatic" | null {
  if (constraint === "deal_redemptions.amount_minor") return "coupon";
  return constraint === "deal_redemptions.redeemed_at" ? "automatic" : null;
}
