import { allocate, hundredPercent, percentOf, roundHalfEven } from "../../kernel/index.ts";
import type { DealTerms, PricedLine, ValueDiscount } from "./deal-terms.ts";
import { type DiscountedPart, discountedParts } from "./discounted-parts.ts";

/** The discount of one deal on a cart or an order. */
export type Discount = Readonly<{
  dealId: string;
  name: string;
  code: string | null;
  amountMinor: number;
  /**
   * How much each line gets of the discount, in the order of the lines. With the delivery's share
   * they add up to `amountMinor`.
   */
  shares: readonly number[];
  /** The part that lowers the price of the delivery; absent for none. */
  deliveryShareMinor?: number;
}>;

/** What is left of the prices of a cart after other discounts. */
export type RemainingPrices = Readonly<{
  lineMinor: readonly number[];
  deliveryMinor: number;
}>;

/** A deal with the parts of the lines that it discounts, which do not depend on other deals. */
export type DealOnLines = Readonly<{ deal: DealTerms; parts: readonly DiscountedPart[] }>;

export const dealOnLines = (deal: DealTerms, lines: readonly PricedLine[]): DealOnLines => ({
  deal,
  parts: discountedParts(deal, lines),
});

/**
 * How much a deal deducts from what is left of the prices. Rounded once, half to even, and limited
 * to the deal's maximum and to the price of what it covers.
 */
export function amountOn({ deal, parts }: DealOnLines, prices: RemainingPrices): number {
  const { discount, maxDiscountMinor } = deal;
  if (discount.type === "free_delivery") {
    return Math.min(prices.deliveryMinor, maxDiscountMinor ?? prices.deliveryMinor);
  }
  const eligibleMinor = parts.reduce((sum, part) => sum + eligiblePrice(part, prices), 0);
  const uncappedMinor =
    discount.type === "fixed_amount"
      ? discount.amountMinor
      : roundHalfEven(weightedSum(parts, prices), hundredPercent);
  return Math.min(uncappedMinor, maxDiscountMinor ?? eligibleMinor, eligibleMinor);
}

/** The discount of a deal on what is left of the prices; null when it deducts nothing. */
export function discountOn(offered: DealOnLines, prices: RemainingPrices): Discount | null {
  const amountMinor = amountOn(offered, prices);
  if (amountMinor <= 0) return null;
  const { id: dealId, name, code, discount } = offered.deal;
  const shares = prices.lineMinor.map(() => 0);
  if (discount.type === "free_delivery") {
    return { dealId, name, code, amountMinor, shares, deliveryShareMinor: amountMinor };
  }
  const eligible = offered.parts.map((part) => eligiblePrice(part, prices));
  const weights = offered.parts.map(
    ({ percent }, position) => BigInt(eligible[position] ?? 0) * percent,
  );
  const allocated = allocate(amountMinor, weights, eligible);
  for (const [position, { index }] of offered.parts.entries()) {
    shares[index] = allocated[position] ?? 0;
  }
  return { dealId, name, code, amountMinor, shares };
}

/**
 * What the discounted units of a line still cost. When another deal has lowered the price of the
 * line, its units share that equally, rounded down.
 */
const eligiblePrice = (
  { index, units, quantity }: DiscountedPart,
  { lineMinor }: RemainingPrices,
): number => Math.floor(((lineMinor[index] ?? 0) * units) / quantity);

/** The sum of the eligible prices, each multiplied by its percentage. */
function weightedSum(parts: readonly DiscountedPart[], prices: RemainingPrices): bigint {
  let total = 0n;
  let samePercentMinor = 0;
  for (const [position, part] of parts.entries()) {
    samePercentMinor += eligiblePrice(part, prices);
    if (parts[position + 1]?.percent !== part.percent) {
      total += BigInt(samePercentMinor) * part.percent;
      samePercentMinor = 0;
    }
  }
  return total;
}

/** The discount of a deal with one value on the whole amount that it covers. */
export function discountAmount(
  {
    discount,
    maxDiscountMinor,
  }: Pick<DealTerms, "maxDiscountMinor"> & Readonly<{ discount: ValueDiscount }>,
  eligibleMinor: number,
): number {
  const uncappedMinor =
    discount.type === "percentage"
      ? percentOf(eligibleMinor, discount.percent)
      : discount.amountMinor;
  return Math.min(uncappedMinor, maxDiscountMinor ?? eligibleMinor, eligibleMinor);
}

/** The part of a line in a discount. */
export type LineDiscount = Readonly<{ dealId: string; amountMinor: number }>;

/** The discounts of the line at a position. */
export const lineDiscounts = (discounts: readonly Discount[], index: number): LineDiscount[] =>
  discounts.flatMap(({ dealId, shares }) => {
    const amountMinor = shares[index] ?? 0;
    return amountMinor > 0 ? [{ dealId, amountMinor }] : [];
  });

export const totalDiscount = (discounts: readonly Discount[]): number =>
  discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** The discounts of deals that are applied one after the other. Discounts of zero are left out. */
export function discountsInOrder(
  deals: readonly DealOnLines[],
  prices: RemainingPrices,
): readonly Discount[] {
  let remaining = prices;
  const discounts: Discount[] = [];
  for (const offered of deals) {
    const discount = discountOn(offered, remaining);
    if (discount === null) continue;
    discounts.push(discount);
    remaining = withDiscountTaken(remaining, discount);
  }
  return discounts;
}

export const withDiscountTaken = (
  { lineMinor, deliveryMinor }: RemainingPrices,
  { shares, deliveryShareMinor = 0 }: Discount,
): RemainingPrices => ({
  lineMinor: lineMinor.map((minor, index) => minor - (shares[index] ?? 0)),
  deliveryMinor: deliveryMinor - deliveryShareMinor,
});
