import {
  allocate,
  includedPercentAmount,
  percentOf,
  type Refusal,
  requireChargeable,
  ruleViolation,
} from "../kernel/index.ts";

/** One component of a price. The merchant reads the name. */
export type PricePart = Readonly<{ name: string; amountMinor: number }>;

/** The sum of the parts. @throws Refusal VALIDATION_ERROR when it is too large to charge. */
export const sumParts = (parts: readonly PricePart[]): number =>
  parts.reduce((sum, { amountMinor }) => requireChargeable(sum + amountMinor, "quantity"), 0);

/**
 * Keeps a price from being negative, because wrong price adjustments can exceed a price. An extra
 * part raises the sum to zero.
 */
export function withMinimumZero(parts: readonly PricePart[]): readonly PricePart[] {
  const sum = sumParts(parts);
  return sum < 0 ? [...parts, { name: "minimum price", amountMinor: -sum }] : parts;
}

export type TaxRule = Readonly<{
  /** The rate as a decimal string with at most four decimals. */
  ratePercent: string;
  /** True when prices include the tax. */
  isInclusive: boolean;
}>;

export type CartTotals = Readonly<{
  subtotalMinor: number;
  discountTotalMinor: number;
  taxTotalMinor: number;
  totalPriceMinor: number;
}>;

/**
 * Calculates the totals of a cart. The discount is limited to the subtotal. Tax is rounded once, on
 * the discounted subtotal. Tax is not added to the total when prices include it.
 *
 * @throws Refusal VALIDATION_ERROR for a subtotal too large to charge.
 */
export function calculateCartTotals({
  lines,
  discountMinor,
  tax,
}: {
  lines: readonly Readonly<{ unitPriceMinor: number; quantity: number }>[];
  discountMinor: number;
  tax: TaxRule;
}): CartTotals {
  const subtotalMinor = lines.reduce(
    (sum, { unitPriceMinor, quantity }) =>
      requireChargeable(sum + unitPriceMinor * quantity, "quantity"),
    0,
  );
  const discountTotalMinor = Math.min(Math.max(discountMinor, 0), subtotalMinor);
  const discountedMinor = subtotalMinor - discountTotalMinor;
  const taxTotalMinor = tax.isInclusive
    ? includedPercentAmount(discountedMinor, tax.ratePercent)
    : percentOf(discountedMinor, tax.ratePercent);
  return {
    subtotalMinor,
    discountTotalMinor,
    taxTotalMinor,
    totalPriceMinor: tax.isInclusive ? discountedMinor : discountedMinor + taxTotalMinor,
  };
}

export const discountTypes = ["percentage", "fixed_amount"] as const;
export type DiscountType = (typeof discountTypes)[number];

/** How much a deal deducts from the lines that it covers. */
export type DealDiscount =
  | Readonly<{ type: "percentage"; percent: string }>
  | Readonly<{ type: "fixed_amount"; amountMinor: number }>;

/**
 * Which lines a deal covers: all, those of some products, or those of some categories and
 * collections.
 */
export type DealCoverage =
  | Readonly<{ type: "order" }>
  | Readonly<{ type: "products"; ids: ReadonlySet<string> }>
  | Readonly<{ type: "groups"; ids: ReadonlySet<string> }>;

/** The fields of a deal that decide whether and how much it deducts, except its coverage. */
export type DealConditions = Readonly<{
  id: string;
  /** The coupon code; null for an automatic deal. */
  code: string | null;
  name: string;
  discount: DealDiscount;
  /** The lowest subtotal of the whole order, before discounts, for which the deal applies. */
  minOrderSubtotalMinor: number | null;
  maxDiscountMinor: number | null;
  startsAt: number | null;
  /** The deal applies until this time, exclusive. */
  endsAt: number | null;
  usageLimit: number | null;
  timesRedeemed: number;
  isActive: boolean;
}>;

export type DealTerms = DealConditions & Readonly<{ coverage: DealCoverage }>;

/**
 * The deals that may apply to a cart: all deals without a code, and the deal of the cart's coupon.
 */
export type AvailableDeals = Readonly<{
  automatic: readonly DealTerms[];
  coupon: DealTerms | null;
}>;

export const couponRejectionReasons = [
  "COUPON_INVALID",
  "COUPON_NOT_STARTED",
  "COUPON_EXPIRED",
  "COUPON_MIN_NOT_MET",
  "COUPON_EXHAUSTED",
] as const;
/** Why a coupon is rejected. */
export type CouponRejectionReason = (typeof couponRejectionReasons)[number];

/**
 * A cart line with the fields that deals need. `amountMinor` is the price of the whole quantity.
 */
export type DiscountableLine = Readonly<{
  productId: string;
  /** The ids of the product's collections and categories, including all parent categories. */
  groupIds: readonly string[];
  amountMinor: number;
}>;

/**
 * Why the deal cannot be used now, or null when it can. The deal must exist, be active and have
 * uses left.
 */
export function usageRejection(
  deal: DealConditions | null,
  now: number,
): CouponRejectionReason | null {
  if (!deal?.isActive) return "COUPON_INVALID";
  if (deal.startsAt !== null && now < deal.startsAt) return "COUPON_NOT_STARTED";
  if (deal.endsAt !== null && now >= deal.endsAt) return "COUPON_EXPIRED";
  return isExhausted(deal) ? "COUPON_EXHAUSTED" : null;
}

/** Why the deal does not apply to an order with this subtotal, or null when it does. */
export function orderRejection(
  deal: DealConditions | null,
  { subtotalMinor, now }: { subtotalMinor: number; now: number },
): CouponRejectionReason | null {
  const rejection = usageRejection(deal, now);
  const minimumMinor = deal?.minOrderSubtotalMinor ?? 0;
  return rejection ?? (subtotalMinor < minimumMinor ? "COUPON_MIN_NOT_MET" : null);
}

/**
 * Why the deal does not apply to these lines, or null when it does. It must cover at least one
 * line.
 */
export function linesRejection(
  deal: DealTerms | null,
  { lines, now }: { lines: readonly DiscountableLine[]; now: number },
): CouponRejectionReason | null {
  const rejection = orderRejection(deal, { subtotalMinor: linesSubtotal(lines), now });
  if (rejection !== null || deal === null || lines.length === 0) return rejection;
  return lines.some((line) => covers(deal.coverage, line)) ? null : "COUPON_INVALID";
}

/** Whether a deal with this coverage covers the line. */
function covers(coverage: DealCoverage, { productId, groupIds }: DiscountableLine): boolean {
  switch (coverage.type) {
    case "order":
      return true;
    case "products":
      return coverage.ids.has(productId);
    case "groups":
      return groupIds.some((id) => coverage.ids.has(id));
  }
}

const linesSubtotal = (lines: readonly DiscountableLine[]): number =>
  lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

const isExhausted = ({ usageLimit, timesRedeemed }: DealConditions): boolean =>
  usageLimit !== null && timesRedeemed >= usageLimit;

const couponMessages = {
  COUPON_INVALID: "This coupon is not valid for this cart.",
  COUPON_NOT_STARTED: "This coupon is not valid yet.",
  COUPON_EXPIRED: "This coupon has expired.",
  COUPON_MIN_NOT_MET: "The subtotal is below the minimum of this coupon.",
  COUPON_EXHAUSTED: "This coupon has been used up.",
} as const satisfies Record<CouponRejectionReason, string>;

/** The refusal for a rejected coupon. The refusal's rule is the reason. */
export const couponRefusal = (reason: CouponRejectionReason): Refusal =>
  ruleViolation(reason, couponMessages[reason]);

/** The discount of one deal on an order. */
export type Discount = Readonly<{
  dealId: string;
  name: string;
  code: string | null;
  amountMinor: number;
  /**
   * How much each line gets of the discount, in the order of the lines. The sum is `amountMinor`.
   */
  shares: readonly number[];
}>;

/**
 * Calculates the discounts on these lines: first the best automatic deal, then the coupon on what
 * remains. Deals that do not apply, or that deduct nothing, are left out.
 */
export function calculateDiscounts(
  lines: readonly DiscountableLine[],
  { automatic, coupon }: AvailableDeals,
  now: number,
): readonly Discount[] {
  const applies = (deal: DealTerms) => linesRejection(deal, { lines, now }) === null;
  const automaticDiscount = largestDiscount(
    automatic.filter(applies).map((deal) => discountOf(deal, lines)),
  );
  const discountedLines = automaticDiscount ? withDiscountApplied(lines, automaticDiscount) : lines;
  const couponDiscount = coupon && applies(coupon) ? discountOf(coupon, discountedLines) : null;
  return [automaticDiscount, couponDiscount].flatMap((discount) =>
    discount && discount.amountMinor > 0 ? [discount] : [],
  );
}

/**
 * The discount of a deal on the amount that it covers. Rounded once, and limited to the deal's
 * maximum and to the amount itself.
 */
export function discountAmount(
  { discount, maxDiscountMinor }: Pick<DealTerms, "discount" | "maxDiscountMinor">,
  eligibleMinor: number,
): number {
  return Math.min(
    uncappedAmount(discount, eligibleMinor),
    maxDiscountMinor ?? eligibleMinor,
    eligibleMinor,
  );
}

export const totalDiscount = (discounts: readonly Discount[]): number =>
  discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

function uncappedAmount(discount: DealDiscount, eligibleMinor: number): number {
  switch (discount.type) {
    case "percentage":
      return percentOf(eligibleMinor, discount.percent);
    case "fixed_amount":
      return discount.amountMinor;
  }
}

function discountOf(deal: DealTerms, lines: readonly DiscountableLine[]): Discount {
  const weights = lines.map((line) => (covers(deal.coverage, line) ? line.amountMinor : 0));
  const amountMinor = discountAmount(
    deal,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const { id: dealId, name, code } = deal;
  return { dealId, name, code, amountMinor, shares: allocate(amountMinor, weights) };
}

/** The largest discount. Among equal discounts, the deal that was created first wins. */
const largestDiscount = (discounts: readonly Discount[]): Discount | null =>
  discounts.reduce<Discount | null>(
    (best, discount) =>
      best === null ||
      discount.amountMinor > best.amountMinor ||
      (discount.amountMinor === best.amountMinor && discount.dealId < best.dealId)
        ? discount
        : best,
    null,
  );

const withDiscountApplied = (
  lines: readonly DiscountableLine[],
  { shares }: Discount,
): readonly DiscountableLine[] =>
  lines.map((line, index) => ({ ...line, amountMinor: line.amountMinor - (shares[index] ?? 0) }));
