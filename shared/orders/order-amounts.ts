import { allocate } from "../kernel/index.ts";
import { defaultTaxName, type TaxLine } from "../pricing/index.ts";
import type { Order, OrderLine } from "./order.ts";

type OrderTotals = Pick<
  Order,
  | "subtotalMinor"
  | "discountTotalMinor"
  | "taxTotalMinor"
  | "totalPriceMinor"
  | "deliveryTotalMinor"
  | "discounts"
  | "tax"
>;

type LinePrice = Pick<OrderLine, "unitPriceMinor" | "quantity">;

/** A line as it is stored; the tax is null in orders from before it was stored per line. */
type StoredLine<L> = L & LinePrice & Readonly<{ taxMinor: number | null }>;

/**
 * The lines with their tax. Of an order without tax per line, each line gets its part of the order's
 * tax in proportion to its discounted price.
 */
export function withLineTaxes<L>(
  lines: readonly StoredLine<L>[],
  { discounts, taxTotalMinor }: Pick<OrderTotals, "discounts" | "taxTotalMinor">,
): (L & Readonly<{ taxMinor: number }>)[] {
  const missing = lines.some(({ taxMinor }) => taxMinor === null)
    ? allocate(taxTotalMinor, discountedPrices(lines, discounts))
    : [];
  return lines.map((line, index) => ({ ...line, taxMinor: line.taxMinor ?? missing[index] ?? 0 }));
}

/** The tax of an order from before taxes were stored by rate, as that of one rate. */
export function taxLinesOfTotals({ tax, taxTotalMinor, ...totals }: OrderTotals): TaxLine[] {
  if (taxTotalMinor === 0) return [];
  const taxableMinor = totals.totalPriceMinor - taxTotalMinor;
  const ratePercent = tax?.ratePercent ?? percentText(taxTotalMinor, taxableMinor);
  return [{ name: defaultTaxName, ratePercent, taxableMinor, amountMinor: taxTotalMinor }];
}

type TaxedLine = LinePrice & Pick<OrderLine, "taxMinor" | "exemptedTaxMinor">;

/**
 * What each line adds to the order's total: its discounted price, with the tax that is added to it
 * and without the contained tax that an exempt customer did not pay.
 */
export function lineTotals({
  lines,
  ...order
}: OrderTotals & Readonly<{ lines: readonly TaxedLine[] }>): number[] {
  const prices = discountedPrices(lines, order.discounts);
  const isAdded = !isTaxIncluded(order);
  return lines.map(
    ({ taxMinor, exemptedTaxMinor }, index) =>
      (prices[index] ?? 0) + (isAdded ? taxMinor : 0) - exemptedTaxMinor,
  );
}

/** Whether the prices of the order include its tax. */
export const isTaxIncluded = ({ tax, ...order }: Omit<OrderTotals, "discounts">): boolean =>
  tax?.isInclusive ??
  order.totalPriceMinor ===
    order.subtotalMinor - order.discountTotalMinor + order.deliveryTotalMinor;

const discountedPrices = (
  lines: readonly LinePrice[],
  discounts: Order["discounts"],
): readonly number[] =>
  lines.map(({ unitPriceMinor, quantity }, index) =>
    discounts.reduce(
      (price, { shares }) => price - (shares[index] ?? 0),
      unitPriceMinor * quantity,
    ),
  );

/** A part as a percentage of an amount, with two decimals. */
const percentText = (partMinor: number, amountMinor: number): string =>
  amountMinor === 0 ? "0" : String(Math.round((partMinor * 10_000) / amountMinor) / 100);
