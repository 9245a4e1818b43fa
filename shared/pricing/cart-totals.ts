import { chargeable, containedPercent, percentOf } from "../kernel/index.ts";

export type TaxRule = Readonly<{
  /** Decimal string, at most four decimals. */
  ratePercent: string;
  /** Contained in the prices, instead of added to them. */
  isInclusive: boolean;
}>;

export type CartTotals = Readonly<{
  subtotalMinor: number;
  discountTotalMinor: number;
  taxTotalMinor: number;
  totalPriceMinor: number;
}>;

/**
 * The totals of a cart (completions.md 5): the tax is rounded once, on the discounted subtotal, and
 * added unless the prices contain it. A discount takes at most the subtotal. Refuses
 * (VALIDATION_ERROR) a subtotal beyond any amount that can be charged.
 */
export function cartTotals({
  lines,
  discountMinor,
  tax,
}: {
  lines: readonly Readonly<{ unitPriceMinor: number; quantity: number }>[];
  discountMinor: number;
  tax: TaxRule;
}): CartTotals {
  const subtotalMinor = lines.reduce(
    (sum, { unitPriceMinor, quantity }) => chargeable(sum + unitPriceMinor * quantity, "quantity"),
    0,
  );
  const discountTotalMinor = Math.min(Math.max(discountMinor, 0), subtotalMinor);
  const discounted = subtotalMinor - discountTotalMinor;
  const taxTotalMinor = tax.isInclusive
    ? containedPercent(discounted, tax.ratePercent)
    : percentOf(discounted, tax.ratePercent);
  return {
    subtotalMinor,
    discountTotalMinor,
    taxTotalMinor,
    totalPriceMinor: tax.isInclusive ? discounted : discounted + taxTotalMinor,
  };
}
