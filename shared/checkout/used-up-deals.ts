import { discountableLines } from "../cart/index.ts";
import { batchedRead, createPrefetch, type Prefetch } from "../database/index.ts";
import { type DealWithCoverage, type OfferedDeals, redemptionRepo } from "../deals/index.ts";
import {
  calculateCartTotals,
  calculateDiscounts,
  couponRefusal,
  type Discount,
  type DiscountableLine,
  totalDiscount,
} from "../pricing/index.ts";
import type { CheckoutPlan, CheckoutRequest, PlannedCheckout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { fxForTotal } from "./convert-currency.ts";
import { type ReplacedOrder, withReturnedUses } from "./replaced-orders.ts";

/** The ids of the deals that a customer can no longer use. */
export type UsedUpDealIds = ReadonlySet<string>;

/**
 * Identifies who uses a deal: the customer id, or for a guest the e-mail address or else the phone
 * number.
 */
export const customerKeyOf = (
  { login }: Pick<CheckoutPlan, "login">,
  { customer }: Pick<CheckoutRequest, "customer">,
): string => login?.customerId ?? customer.email ?? customer.phone ?? "";

type DealUsesQuery = Readonly<{
  customerKey: string;
  couponCode: string | null;
  /** The orders that the batch cancels. Their uses of deals do not count. */
  releasedOrderIds: readonly string[];
}>;

/** Prefetches which of the active deals the customer has used up. */
export function prefetchUsedUpDeals(
  ctx: Pick<CheckoutContext, "db" | "business" | "now">,
  { customerKey, ...uses }: DealUsesQuery,
): Prefetch<UsedUpDealIds> {
  const query = redemptionRepo(ctx).exhaustedDealsQuery(customerKey, uses);
  return createPrefetch(
    ctx.db,
    batchedRead([query], ([rows]) => new Set(rows.map(({ id }) => id))),
  );
}

type DiscountTerms = Readonly<{
  lines: readonly DiscountableLine[];
  offer: OfferedDeals;
  now: number;
}>;

/**
 * Whether the customer's uses must be read before the order is placed. When only the best deal is
 * limited, the placing batch reports that it is used up, and a second try succeeds. When the next
 * best deal is limited too, the second try may fail as well.
 */
export function mustLoadUses({ lines, offer, now }: DiscountTerms): boolean {
  const best = limitedDealIn(calculateDiscounts(lines, offer, now), offer);
  if (!best) return false;
  const next = withoutDeals(offer, new Set([best.id]));
  return limitedDealIn(calculateDiscounts(lines, next, now), next) !== undefined;
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

/**
 * Calculates the plan's prices again without the deals that the customer has used up. This takes a
 * round trip only when the catalogue is not cached.
 *
 * @throws Refusal COUPON_EXHAUSTED when the coupon is used up, COUPON_INVALID when it no longer
 * exists.
 */
export async function replanWithoutUsedUpDeals(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  { usedUp, replaced }: Readonly<{ usedUp: UsedUpDealIds; replaced: readonly ReplacedOrder[] }>,
): Promise<PlannedCheckout> {
  const { plan } = checkout;
  if (!plan.discounts.some(({ dealId }) => usedUp.has(dealId))) return checkout;
  const allUsedUp = new Set([...plan.usedUpDealIds, ...usedUp]);
  const { offer, lines } = await loadOffer(ctx, plan, replaced);
  const discounts = calculateDiscounts(lines, withoutDeals(offer, allUsedUp), plan.createdAt);
  if (isCouponExhausted(discounts, allUsedUp)) throw couponRefusal("COUPON_EXHAUSTED");
  const totals = totalsWith(ctx, plan, discounts);
  const fx = fxForTotal(plan.fx, totals.totalPriceMinor);
  return {
    ...checkout,
    plan: { ...plan, discounts, totals, fx, usedUpDealIds: [...allUsedUp] },
  };
}

/**
 * Calculates the plan's prices again after its batch failed on a deal. All automatic deals of the
 * plan are left out.
 *
 * @throws Refusal COUPON_EXHAUSTED for the coupon, and as `replanWithoutUsedUpDeals`.
 */
export async function replanWithoutRefusedDeal(
  ctx: CheckoutContext,
  checkout: PlannedCheckout,
  {
    refused,
    replaced,
  }: Readonly<{ refused: "coupon" | "automatic"; replaced: readonly ReplacedOrder[] }>,
): Promise<PlannedCheckout> {
  if (refused === "coupon") throw couponRefusal("COUPON_EXHAUSTED");
  const automatic = checkout.plan.discounts.filter(({ code }) => code === null);
  const usedUp = new Set(automatic.map(({ dealId }) => dealId));
  return replanWithoutUsedUpDeals(ctx, checkout, { usedUp, replaced });
}

async function loadOffer(
  ctx: CheckoutContext,
  { couponCode, lines }: CheckoutPlan,
  replaced: readonly ReplacedOrder[],
) {
  const ids = lines.map(({ configuration }) => configuration.productId);
  const products = await ctx.findProducts(ids, couponCode);
  const offer = withReturnedUses(await ctx.findDeals(couponCode), replaced);
  if (couponCode !== null && offer.coupon === null) throw couponRefusal("COUPON_INVALID");
  return { offer, lines: discountableLines(lines, products) };
}

/**
 * Whether a used-up coupon gives a discount. A coupon without a discount is not used by the order.
 */
export const isCouponExhausted = (discounts: readonly Discount[], usedUp: UsedUpDealIds): boolean =>
  discounts.some(({ code, dealId }) => code !== null && usedUp.has(dealId));

const totalsWith = (
  ctx: CheckoutContext,
  { lines }: CheckoutPlan,
  discounts: CheckoutPlan["discounts"],
) =>
  calculateCartTotals({
    lines: lines.map(({ quantity, snapshot }) => ({
      quantity,
      unitPriceMinor: snapshot.unitPriceMinor,
    })),
    discountMinor: totalDiscount(discounts),
    tax: ctx.business.settings.tax,
  });
