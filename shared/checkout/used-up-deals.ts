import { batchedRead, createPrefetch, type Prefetch } from "../database/index.ts";
import {
  type DealUser,
  type DealWithCoverage,
  type OfferedDeals,
  redemptionRepo,
} from "../deals/index.ts";
import { calculateDiscounts, type Discount, type PricedLine } from "../pricing/index.ts";
import type { CheckoutPlan, CheckoutRequest } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/** The ids of the deals that a customer can no longer use. */
export type UsedUpDealIds = ReadonlySet<string>;

/** Whose uses of the deals count for an order. */
export const dealUserOf = (
  { login }: Pick<CheckoutPlan, "login">,
  { customer: { email, phone } }: Pick<CheckoutRequest, "customer">,
): DealUser => ({ customerId: login?.customerId ?? null, email, phone });

type DealUsesQuery = Readonly<{
  user: DealUser;
  couponCode: string | null;
  /** The orders that the batch cancels. Their uses of deals do not count. */
  releasedOrderIds: readonly string[];
}>;

/** Prefetches which of the active deals the customer has used up. */
export function prefetchUsedUpDeals(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { user, ...uses }: DealUsesQuery,
): Prefetch<UsedUpDealIds> {
  const query = redemptionRepo(ctx).exhaustedDealsQuery(user, uses);
  return createPrefetch(
    ctx.db,
    batchedRead([query], ([rows]) => new Set(rows.map(({ id }) => id))),
  );
}

type DiscountTerms = Readonly<{
  lines: readonly PricedLine[];
  offer: OfferedDeals;
  now: number;
}>;

/**
 * Whether the customer's uses must be read before the order is placed. When only the best deal is
 * limited, the placing batch reports that it is used up, and a second try succeeds. When the next
 * best deal is limited too, the second try may fail as well.
 */
export function mustLoadUses({ lines, offer, now }: DiscountTerms): boolean {
  const discountsOf = ({ automatic, coupon }: OfferedDeals) =>
    calculateDiscounts(
      { lines, delivery: null, now },
      { automatic, coupons: coupon ? [coupon] : [] },
    );
  const best = limitedDealIn(discountsOf(offer), offer);
  if (!best) return false;
  const next = withoutDeals(offer, new Set([best.id]));
  return limitedDealIn(discountsOf(next), next) !== undefined;
}

/** The automatic deal with a usage limit that one of the discounts comes from. */
const limitedDealIn = (
  discounts: readonly Discount[],
  { automatic }: OfferedDeals,
): DealWithCoverage | undefined =>
  automatic.find(
    ({ id, usageLimit, perCustomerLimit }) =>
      (usageLimit !== null || perCustomerLimit !== null) &&
      discounts.some(({ dealId }) => dealId === id),
  );

/**
 * The deals without used-up automatic ones. A used-up coupon stays, so that it is refused
 * explicitly.
 */
export const withoutDeals = (offer: OfferedDeals, usedUp: UsedUpDealIds): OfferedDeals => ({
  ...offer,
  automatic: offer.automatic.filter(({ id }) => !usedUp.has(id)),
});

/** The deals that are used up once the placing batch has failed on an automatic deal of the plan. */
export function usedUpAfterFailure({ discounts, usedUpDealIds }: CheckoutPlan): UsedUpDealIds {
  const automatic = discounts.filter(({ code }) => code === null);
  return new Set([...usedUpDealIds, ...automatic.map(({ dealId }) => dealId)]);
}

/**
 * Whether a used-up coupon gives a discount. A coupon without a discount is not used by the order.
 */
export const isCouponExhausted = (discounts: readonly Discount[], usedUp: UsedUpDealIds): boolean =>
  discounts.some(({ code, dealId }) => code !== null && usedUp.has(dealId));
