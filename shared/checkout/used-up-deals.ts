import { batchedRead, createPrefetch, type Prefetch } from "../database/index.ts";
import {
  type DealUser,
  type DealWithCoverage,
  dealUserGroupsQuery,
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

/** Which deals a customer may use: the customer's groups, and the deals that are used up. */
export type DealRights = Readonly<{ usedUp: UsedUpDealIds; groupIds: ReadonlySet<string> }>;

type Rows = readonly Readonly<{ id: string }>[];

export const toDealRights = (usedUp: Rows, groups: Rows): DealRights => ({
  usedUp: new Set(usedUp.map(({ id }) => id)),
  groupIds: new Set(groups.map(({ id }) => id)),
});

type DealRightsQuery = Readonly<{
  user: DealUser;
  couponCodes: readonly string[];
  /** The orders that the batch cancels. Their uses of deals do not count. */
  releasedOrderIds: readonly string[];
}>;

/** Prefetches which of the active deals the customer may use. */
export function prefetchDealRights(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { user, ...uses }: DealRightsQuery,
): Prefetch<DealRights> {
  return createPrefetch(ctx.db, () =>
    batchedRead(
      [redemptionRepo(ctx).exhaustedDealsQuery(user, uses), dealUserGroupsQuery(ctx, user)],
      ([usedUp, groups]) => toDealRights(usedUp, groups),
    ),
  );
}

type DiscountTerms = Readonly<{
  lines: readonly PricedLine[];
  delivery: Readonly<{ priceMinor: number }> | null;
  offer: OfferedDeals;
  now: number;
}>;

/**
 * Whether the customer's uses must be read before the order is placed. When only one of the best
 * deals is limited, the placing batch reports that it is used up, and a second try succeeds. When
 * the next best deals are limited too, the second try may fail as well.
 */
export function mustLoadUses({ lines, delivery, offer, now }: DiscountTerms): boolean {
  const limitedIn = (offered: OfferedDeals) =>
    limitedDealsIn(calculateDiscounts({ lines, delivery, now }, offered), offered);
  const best = limitedIn(offer);
  if (best.length !== 1) return best.length > 1;
  return limitedIn(withoutAutomatic(offer, new Set(best.map(({ id }) => id)))).length > 0;
}

/** The automatic deals with a usage limit that the discounts come from. */
const limitedDealsIn = (
  discounts: readonly Discount[],
  { automatic }: OfferedDeals,
): readonly DealWithCoverage[] =>
  automatic.filter((deal) => isLimited(deal) && isUsed(discounts, deal));

const isLimited = ({ usageLimit, perCustomerLimit }: DealWithCoverage): boolean =>
  usageLimit !== null || perCustomerLimit !== null;

const isUsed = (discounts: readonly Discount[], { id }: DealWithCoverage): boolean =>
  discounts.some(({ dealId }) => dealId === id);

/**
 * The deals without used-up automatic ones. A used-up coupon stays, so that it is refused
 * explicitly.
 */
export const withoutAutomatic = (offer: OfferedDeals, usedUp: UsedUpDealIds): OfferedDeals => ({
  ...offer,
  automatic: offer.automatic.filter(({ id }) => !usedUp.has(id)),
});

/** The deals that the customer can still use. */
export const withoutDeals = (offer: OfferedDeals, usedUp: UsedUpDealIds): OfferedDeals => ({
  ...withoutAutomatic(offer, usedUp),
  coupons: offer.coupons.filter(({ id }) => !usedUp.has(id)),
});

/** The deals that are used up once the placing batch has failed on an automatic deal of the plan. */
export const usedUpAfterFailure = (
  { discounts, usedUpDealIds }: CheckoutPlan,
  offer: OfferedDeals,
): UsedUpDealIds =>
  new Set([...usedUpDealIds, ...limitedDealsIn(discounts, offer).map(({ id }) => id)]);

/** The ids of the coupons with a usage limit. */
export const limitedCouponIds = ({ coupons }: OfferedDeals): UsedUpDealIds =>
  new Set(coupons.filter(isLimited).map(({ id }) => id));

/**
 * Whether a used-up coupon gives a discount. A coupon without a discount is not used by the order.
 */
export const usesExhaustedCoupon = (
  discounts: readonly Discount[],
  usedUp: UsedUpDealIds,
): boolean => discounts.some(({ code, dealId }) => code !== null && usedUp.has(dealId));
