import {
  allocate,
  hundredPercent,
  parsePercent,
  percentOf,
  roundHalfEven,
} from "../kernel/index.ts";
import { covers, type DealTerms, type PricedLine, type ValueDiscount } from "./deal-terms.ts";

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

/** What is left of the prices of a cart after the discounts that were calculated before. */
export type RemainingPrices = Readonly<{
  lineMinor: readonly number[];
  deliveryMinor: number;
}>;

/** A deal with the part of each line that it discounts. */
export type DealOnLines = Readonly<{ deal: DealTerms; parts: readonly LinePart[] }>;

/** How many units of a line are discounted, and by how much at most. */
type LinePart = Readonly<{
  units: number;
  quantity: number;
  /** In ten-thousandths of a percent. */
  percent: bigint;
}>;

export const dealOnLines = (deal: DealTerms, lines: readonly PricedLine[]): DealOnLines => ({
  deal,
  parts: lineParts(deal, lines),
});

function lineParts({ discount, coverage }: DealTerms, lines: readonly PricedLine[]): LinePart[] {
  const percentPerLine = (percentFor: (line: PricedLine) => bigint) =>
    lines.map((line) => ({
      units: covers(coverage, line) ? line.quantity : 0,
      quantity: line.quantity,
      percent: percentFor(line),
    }));
  switch (discount.type) {
    case "percentage": {
      const percent = parsePercent(discount.percent);
      return percentPerLine(() => percent);
    }
    case "fixed_amount":
      return percentPerLine(() => hundredPercent);
    default:
      return [];
  }
}

/** The discount of a deal on what is left of the prices; null when it deducts nothing. */
export function discountOn(
  { deal, parts }: DealOnLines,
  { lineMinor }: RemainingPrices,
): Discount | null {
  const eligible = parts.map(({ units, quantity }, index) =>
    Math.floor(((lineMinor[index] ?? 0) * units) / quantity),
  );
  const weights = eligible.map((minor, index) => BigInt(minor) * (parts[index]?.percent ?? 0n));
  const { discount, maxDiscountMinor, id: dealId, name, code } = deal;
  const eligibleMinor = eligible.reduce((sum, minor) => sum + minor, 0);
  const uncappedMinor =
    discount.type === "fixed_amount"
      ? discount.amountMinor
      : roundHalfEven(
          weights.reduce((sum, weight) => sum + weight, 0n),
          hundredPercent,
        );
  const amountMinor = Math.min(uncappedMinor, maxDiscountMinor ?? eligibleMinor, eligibleMinor);
  if (amountMinor <= 0) return null;
  return { dealId, name, code, amountMinor, shares: allocate(amountMinor, weights) };
}

/**
 * The discount of a deal on the whole order, as an amount of `eligibleMinor`. Rounded once, and
 * limited to the deal's maximum and to the amount itself.
 */
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

export const totalDiscount = (discounts: readonly Discount[]): number =>
  discounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

export const withDiscountTaken = (
  { lineMinor, deliveryMinor }: RemainingPrices,
  { shares, deliveryShareMinor = 0 }: Discount,
): RemainingPrices => ({
  lineMinor: lineMinor.map((minor, index) => minor - (shares[index] ?? 0)),
  deliveryMinor: deliveryMinor - deliveryShareMinor,
});
