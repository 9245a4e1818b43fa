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

/** The ids of the deals that a customer cannot use any more. */
export type UsedUpDealIds = ReadonlySet<string>;

/** Who uses a deal: the customer, or a guest by e-mail address, else by phone. */
export const customerKeyOf = (
  { login }: Pick<CheckoutPlan, "login">,
  { customer }: Pick<CheckoutRequest, "customer">,
): string => login?.customerId ?? customer.email ?? customer.phone ?? "";

type DealUsesQuery = Readonly<{
  customerKey: string;
  couponCode: string | null;
  /** The orders whose uses are released in the placing batch. */
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
 * Whether the uses must be known before the order is placed. If only the best deal is limited, the
 * placing batch reports that it is used up, and one more try is enough. If the next best is limited
 * too, it may be used up as well.
 */
export function mustLoadUses({ lines, offer, now }: DiscountTerms): boolean {
  const best = limitedDealIn(calculateDiscounts(lines, offer, now), offer);
  if (!best) return false;
  const next = withoutDeals(offer, new Set([best.id]));
  return limitedDealIn(calculateDiscounts(lines, next, now), next) !== undefined;
}

/** The automatic deal with limited uses among discounts. */
const limitedDealIn = (
  discounts: readonly Discount[],
  { automatic }: OfferedDeals,
): DealWithCoverage | undefined =>
  automatic.find(
    ({ id, usageLimit, perCustomerLimit }) =>
      (usageLimit !== null || perCustomerLimit !== null) &&
      discounts.some(({ dealId }) => dealId === id),
  );

/** The offer without used-up automatic deals. A coupon stays, so that it can be refused by name. */
export const withoutDeals = (offer: OfferedDeals, usedUp: UsedUpDealIds): OfferedDeals => ({
  ...offer,
  automatic: offer.automatic.filter(({ id }) => !usedUp.has(id)),
});

/**
 * Prices the plan again without the deals that the customer has used up since. This takes a round
 * trip only when the catalogue is not cached.
 *
 * @throws Refusal COUPON_EXHAUSTED when the coupon is used up, COUPON_INVALID when it is gone.
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
 * Prices the plan again without the kind of deal that its placing batch failed on.
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

/** Whether a used-up coupon takes something off. One that takes nothing off uses nothing. */
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
