import { includedPercentAmount, percentOf, requireChargeable } from "../kernel/index.ts";

/** One component of a price, with a name that the merchant reads. */
export type PricePart = Readonly<{ name: string; amountMinor: number }>;

/** The sum of the parts. @throws Refusal VALIDATION_ERROR when it is too large to charge. */
export const sumParts = (parts: readonly PricePart[]): number =>
  parts.reduce((sum, { amountMinor }) => requireChargeable(sum + amountMinor, "quantity"), 0);

/**
 * Price adjustments can exceed a price by mistake; an extra part then shows the correction to zero.
 */
export function withMinimumZero(parts: readonly PricePart[]): readonly PricePart[] {
  const sum = sumParts(parts);
  return sum < 0 ? [...parts, { name: "minimum price", amountMinor: -sum }] : parts;
}

export type TaxRule = Readonly<{
  /** A decimal string with at most four decimals. */
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
 * Calculates the totals of a cart. Tax is rounded once, on the discounted subtotal, and added
 * unless prices include it. The discount is limited to the subtotal.
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
