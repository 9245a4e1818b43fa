import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { ConstraintName, Context, Db, Write } from "../../database/index.ts";
import type { Discount } from "../../pricing/index.ts";
import { offeredDealIdsQuery } from "../offer-repo.ts";
import { dealRedemptions, deals } from "../tables.ts";
import { type DealUser, personQuery } from "./deal-user-query.ts";

export type OrderRedemptions = Readonly<{
  orderId: string;
  user: DealUser;
  discounts: readonly Pick<Discount, "dealId" | "code" | "amountMinor">[];
}>;

/** Selects deals for a cart: its coupon codes, and the orders whose uses do not count. */
export type CartDealFilter = Readonly<{
  couponCodes: readonly string[];
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
   * SQL for the number of times a person used a deal. For statements that read the table `deals`.
   * Each alternative names the deal, so that each uses its own index.
   */
  const useCount = (user: DealUser, isCounted = sql`1`) => sql`(select count(*)
    from ${personQuery(business, user)} as person join ${dealRedemptions} as earlier
      on (earlier.deal_id = deals.id and earlier.customer_id = person.customer_id
        or earlier.deal_id = deals.id and earlier.email = person.email
        or earlier.deal_id = deals.id and earlier.phone = person.phone)
    where ${isCounted})`;

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
    redeem({ orderId, user, discounts }: OrderRedemptions): Write[] {
      if (discounts.length === 0) return [];
      const coupons = discounts.filter(({ code }) => code !== null);
      const automatic = discounts.filter(({ code }) => code === null);
      const parts = JSON.stringify(
        [...coupons, ...automatic].map(({ dealId, amountMinor }) => ({ dealId, amountMinor })),
      );
      const hasUsesLeft = sql`coalesce(deals.times_redeemed < deals.usage_limit, 1)
        and coalesce(${useCount(user)} < deals.per_customer_limit, 1)`;
      const redemptionRows = sql`select ${orderId}, deals.id, deals.business_id,
          person.customer_id, person.email, person.phone, 1 + ${useCount(user)}, deals.per_customer_limit,
          iif(deals.code_key is null or ${hasUsesLeft}, part.value ->> 'amountMinor', null),
          iif(deals.code_key is not null or ${hasUsesLeft}, ${now()}, null)
        from json_each(${parts}) as part
        join ${deals} on deals.id = part.value ->> 'dealId' and +deals.business_id = ${business.id}
        join ${personQuery(business, user)} as person`;
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
     * Selects the deals of a cart that are exhausted, either in total or for this person. Uses by
     * orders that the same batch releases do not count.
     */
    exhaustedDealsQuery: (user: DealUser, { couponCodes, releasedOrderIds }: CartDealFilter) => {
      const isReleased = sql`earlier.order_id in (select value from json_each(${JSON.stringify(releasedOrderIds)}))`;
      const releasedCount = sql`(select count(*) from ${dealRedemptions} as earlier
        where ${isReleased} and earlier.deal_id = deals.id)`;
      return db
        .select({ id: deals.id })
        .from(deals)
        .where(
          sql`${deals.id} in (${offeredDealIdsQuery(business, couponCodes, now())})
            and (${deals.timesRedeemed} - ${releasedCount} >= ${deals.usageLimit}
              or ${useCount(user, sql`not ${isReleased}`)} >= ${deals.perCustomerLimit})`,
        );
    },
  };
}

/** Writes that release the redemptions of orders of several businesses of a shard. */
export function releaseRedemptionsOfOrders(
  db: Db,
  orders: readonly Readonly<{ id: string; businessId: string }>[],
): Write[] {
  const ids = JSON.stringify(orders.map(({ id, businessId }) => ({ id, businessId })));
  const redemptions = sql`json_each(${ids}) as freed
    cross join ${dealRedemptions} as used on used.order_id = freed.value ->> 'id'
      and +used.business_id = freed.value ->> 'businessId'`;
  return [
    db
      .update(deals)
      .set({ timesRedeemed: sql`${deals.timesRedeemed} - released.uses` })
      .from(
        sql`(select used.deal_id, count(*) as uses from ${redemptions} group by used.deal_id) as released`,
      )
      .where(sql`${deals.id} = released.deal_id`),
    db.delete(dealRedemptions).where(
      sql`(${dealRedemptions.orderId}, ${dealRedemptions.dealId}) in (
        select used.order_id, used.deal_id from ${redemptions})`,
    ),
  ];
}

/** A write that counts the uses by guest orders for the customer who now owns the orders. */
export const assignRedemptions = (
  { db, business }: Pick<Context, "db" | "business">,
  orderIds: SQL,
  customerId: SQL | string | null,
): Write =>
  db
    .update(dealRedemptions)
    .set({ customerId: sql`${customerId}` })
    .where(
      sql`${dealRedemptions.orderId} in ${orderIds} and +${dealRedemptions.businessId} = ${business.id}`,
    );

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
