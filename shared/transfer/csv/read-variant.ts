import { invalid } from "../../kernel/index.ts";
import { cell, choiceCell, countCell, gramsCell, moneyCell, nameCell } from "./cells.ts";
import { defaultOption, isVariantColumn, optionNumbers, optionValue } from "./columns.ts";
import { type CsvVariant, inventoryPolicies } from "./csv-product.ts";
import { type OptionAxis, unmappedColumnsOf } from "./read-product-fields.ts";
import type { CsvRow } from "./read-rows.ts";

/**
 * A variant with its full price. The price adjustment can be computed only when the product's first
 * variant is known.
 */
export type PricedVariant = Omit<CsvVariant, "priceAdjustmentMinor"> &
  Readonly<{ priceMinor: number }>;

export type VariantContext = Readonly<{
  axes: readonly OptionAxis[];
  currency: string;
  isFirstRow: boolean;
}>;

/** Whether the row has a variant. A row that only adds an image has none of these cells. */
export const hasVariant = (row: CsvRow): boolean =>
  ["Variant Price", "Variant SKU", "Variant Inventory Qty", ...optionNumbers.map(optionValue)].some(
    (column) => cell(row, column) !== "",
  );

export function readVariant(
  row: CsvRow,
  { axes, currency, isFirstRow }: VariantContext,
): PricedVariant {
  const axisValues = readAxisValues(row, axes);
  const quantity = countCell(row, "Variant Inventory Qty");
  return {
    axisValues,
    name: Object.values(axisValues).join(" / ") || defaultOption.value,
    sku: readSku(row),
    priceMinor: readPrice(row, currency),
    compareAtMinor: moneyCell(row, "Variant Compare At Price", currency),
    quantity,
    tracksInventory: quantity !== null || cell(row, "Variant Inventory Tracker") !== "",
    policy: choiceCell(row, "Variant Inventory Policy", inventoryPolicies) ?? "deny",
    grams: gramsCell(row, "Variant Grams"),
    requiresShipping: flagOf(choiceCell(row, "Variant Requires Shipping", flagChoices)),
    unmappedColumns: unmappedColumnsOf(row, (column) => !isFirstRow || isVariantColumn(column)),
  };
}

const flagChoices = ["true", "false"] as const;

const flagOf = (choice: (typeof flagChoices)[number] | null): boolean | null =>
  choice === null ? null : choice === "true";

function readSku(row: CsvRow): string | null {
  const sku = cell(row, "Variant SKU");
  return sku.trim() === "" ? null : sku;
}

function readPrice(row: CsvRow, currency: string): number {
  const price = moneyCell(row, "Variant Price", currency);
  if (price === null) throw invalid("Variant Price", "is missing");
  return price;
}

function readAxisValues(row: CsvRow, axes: readonly OptionAxis[]): Record<string, string> {
  for (const option of optionNumbers) {
    const value = cell(row, optionValue(option));
    const isDeclared = axes.some((axis) => axis.option === option);
    const isDefaultOption = axes.length === 0 && option === 1 && value === defaultOption.value;
    if (value !== "" && !isDeclared && !isDefaultOption) {
      throw invalid(optionValue(option), "belongs to no option of the product");
    }
  }
  return Object.fromEntries(
    axes.map(({ option, name }) => [name, nameCell(row, optionValue(option))]),
  );
}
