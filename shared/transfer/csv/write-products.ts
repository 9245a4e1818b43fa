import { formatCsvLine, formatMoney } from "../../kernel/index.ts";
import {
  defaultOption,
  optionName,
  optionNumbers,
  optionValue,
  standardColumns,
  taxClassColumn,
} from "./columns.ts";
import type { CsvImage, CsvProduct, CsvVariant } from "./csv-product.ts";

export type ExportOptions = Readonly<{
  currency: string;
  /** The header. Undefined means the standard columns. */
  columns?: readonly string[];
}>;

type CsvCells = Record<string, string>;

/**
 * A product as rows of Shopify's CSV, with the cells in the order of the columns. The product's
 * fields are in the first row. Each row has one variant, one image or both.
 */
export function productRows(
  product: CsvProduct,
  { currency, columns = standardColumns }: ExportOptions,
): string[][] {
  const count = Math.max(1, product.variants.length, product.images.length);
  return Array.from({ length: count }, (_, index) => {
    const [variant, image] = [product.variants[index], product.images[index]];
    const cells: CsvCells = {
      ...(index === 0 && productCells(product)),
      ...(image && imageCells(image)),
      ...(variant && variantCells(product, variant, currency)),
      Handle: product.handle,
    };
    return columns.map((column) => cells[column] ?? "");
  });
}

/** The text of a whole CSV file, in chunks. */
export async function* writeProducts(
  products: Iterable<CsvProduct> | AsyncIterable<CsvProduct>,
  options: ExportOptions,
): AsyncGenerator<string> {
  yield formatCsvLine(options.columns ?? standardColumns);
  for await (const product of products)
    yield productRows(product, options).map(formatCsvLine).join("");
}

const productCells = (product: CsvProduct): CsvCells => ({
  ...product.unmappedColumns,
  ...statusCell(product),
  Title: product.title,
  "Body (HTML)": product.description,
  Tags: product.tags.join(", "),
  Published: String(product.isPublished),
  [taxClassColumn]: product.taxClass ?? "",
  ...optionNameCells(product),
});

/**
 * Replaces the imported Status of a published product, because an old value could hide the product.
 */
const statusCell = ({ unmappedColumns, isPublished }: CsvProduct): CsvCells =>
  isPublished && unmappedColumns.Status !== undefined ? { Status: "active" } : {};

const optionNameCells = ({ axes }: CsvProduct): CsvCells =>
  axes.length === 0
    ? { [optionName(1)]: defaultOption.name }
    : Object.fromEntries(
        optionNumbers.map((option) => [optionName(option), axes[option - 1]?.label ?? ""]),
      );

const optionValueCells = ({ axes }: CsvProduct, { axisValues, name }: CsvVariant): CsvCells =>
  axes.length === 0
    ? { [optionValue(1)]: name }
    : Object.fromEntries(
        optionNumbers.map((option) => [
          optionValue(option),
          axisValues[axes[option - 1]?.name ?? ""] ?? "",
        ]),
      );

const imageCells = ({ url, position, alt }: CsvImage): CsvCells => ({
  "Image Src": url,
  "Image Position": String(position),
  "Image Alt Text": alt,
});

function variantCells(product: CsvProduct, variant: CsvVariant, currency: string): CsvCells {
  const { sku, quantity, compareAtMinor, policy, grams, requiresShipping } = variant;
  return {
    ...trackerCell(variant),
    ...variant.unmappedColumns,
    ...optionValueCells(product, variant),
    "Variant SKU": sku ?? "",
    "Variant Grams": String(grams ?? ""),
    "Variant Requires Shipping": String(requiresShipping ?? ""),
    "Variant Inventory Qty": quantity === null ? "" : String(quantity),
    "Variant Inventory Policy": policy,
    "Variant Price": formatMoney(
      product.defaultPriceMinor + variant.priceAdjustmentMinor,
      currency,
    ),
    ...(compareAtMinor !== null && {
      "Variant Compare At Price": formatMoney(compareAtMinor, currency),
    }),
  };
}

/**
 * A variant that is tracked but has no quantity gets a tracker. Otherwise it would be imported as
 * untracked.
 */
const trackerCell = ({ tracksInventory, quantity }: CsvVariant): CsvCells =>
  tracksInventory && quantity === null ? { "Variant Inventory Tracker": "shopify" } : {};
