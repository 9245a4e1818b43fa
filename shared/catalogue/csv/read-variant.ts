import { invalid } from "../../kernel/index.ts";
import { cell, choiceCell, countCell, moneyCell, nameCell } from "./cells.ts";
import { isOfVariant, noOptions, optionNumbers, optionValue } from "./columns.ts";
import { type CsvVariant, inventoryPolicies } from "./imported-product.ts";
import { extraOf, type OptionAxis } from "./read-product-fields.ts";
import type { Row } from "./read-rows.ts";

/** A variant before it is known which one is the product's first, and so its default price. */
export type PricedVariant = Omit<CsvVariant, "priceAdjustmentMinor"> &
  Readonly<{ priceMinor: number }>;

/** What a row's variant cells are read with. */
export type VariantReading = Readonly<{
  axes: readonly OptionAxis[];
  currency: string;
  isFirstRow: boolean;
}>;

/** Rows that only bring a further image have none of these cells. */
export const hasVariant = (row: Row): boolean =>
  ["Variant Price", "Variant SKU", "Variant Inventory Qty", ...optionNumbers.map(optionValue)].some(
    (column) => cell(row, column) !== "",
  );

export function readVariant(
  row: Row,
  { axes, currency, isFirstRow }: VariantReading,
): PricedVariant {
  const axisValues = readAxisValues(row, axes);
  const quantity = countCell(row, "Variant Inventory Qty");
  return {
    axisValues,
    name: Object.values(axisValues).join(" / ") || noOptions.value,
    sku: skuOf(row),
    priceMinor: readPrice(row, currency),
    compareAtMinor: moneyCell(row, "Variant Compare At Price", currency),
    quantity,
    tracksInventory: quantity !== null || cell(row, "Variant Inventory Tracker") !== "",
    policy: choiceCell(row, "Variant Inventory Policy", inventoryPolicies) ?? "deny",
    extra: extraOf(row, (column) => !isFirstRow || isOfVariant(column)),
  };
}

function skuOf(row: Row): string | null {
  const sku = cell(row, "Variant SKU");
  return sku.trim() === "" ? null : sku;
}

function readPrice(row: Row, currency: string): number {
  const price = moneyCell(row, "Variant Price", currency);
  if (price === null) throw invalid("Variant Price", "is missing");
  return price;
}

function readAxisValues(row: Row, axes: readonly OptionAxis[]): Record<string, string> {
  for (const option of optionNumbers) {
    const value = cell(row, optionValue(option));
    const isKnown = axes.some((axis) => axis.option === option);
    const saysNone = axes.length === 0 && option === 1 && value === noOptions.value;
    if (value !== "" && !isKnown && !saysNone) {
      throw invalid(optionValue(option), "stands beside no option of the product");
    }
  }
  return Object.fromEntries(
    axes.map(({ option, name }) => [name, nameCell(row, optionValue(option))]),
  );
}
