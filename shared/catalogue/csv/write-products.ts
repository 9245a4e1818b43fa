import { formatMoney } from "../../kernel/index.ts";
import { noOptions, optionName, optionNumbers, optionValue, standardColumns } from "./columns.ts";
import type { CsvImage, CsvVariant, ExportedProduct, ExtraColumns } from "./imported-product.ts";

export type ExportOptions = Readonly<{
  currency: string;
  /** The header; `exportColumns` makes one with room for columns beyond the standard. */
  columns?: readonly string[];
}>;

type Cells = Record<string, string>;

/**
 * A product as rows of Shopify's CSV, cells in the order of the header: the first row with the
 * product's fields, then a row per further variant or image. Values stand as they are kept.
 */
export function productRows(
  product: ExportedProduct,
  { currency, columns = standardColumns }: ExportOptions,
): string[][] {
  const count = Math.max(1, product.variants.length, product.images.length);
  return Array.from({ length: count }, (_, at) => {
    const [variant, image] = [product.variants[at], product.images[at]];
    const cells: Cells = {
      ...(at === 0 && productCells(product)),
      ...(image && imageCells(image)),
      ...(variant && variantCells(product, variant, currency)),
      Handle: product.handle,
    };
    return columns.map((column) => cells[column] ?? "");
  });
}

/** The whole file, header first, as pieces of text. */
export async function* writeProducts(
  products: Iterable<ExportedProduct> | AsyncIterable<ExportedProduct>,
  options: ExportOptions,
): AsyncGenerator<string> {
  yield csvLine(options.columns ?? standardColumns);
  for await (const product of products) yield productRows(product, options).map(csvLine).join("");
}

/** As RFC 4180 has it, with its line end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(",")}\r\n`;

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const productCells = (product: ExportedProduct): Cells => ({
  ...product.extra,
  ...statusCell(product),
  Title: product.title,
  "Body (HTML)": product.description,
  Tags: product.tags.join(", "),
  Published: String(product.isPublished),
  ...optionNameCells(product),
});

/** A Status kept from the import must not take back that the product was published since. */
const statusCell = ({ extra, isPublished }: ExportedProduct): ExtraColumns =>
  isPublished && extra.Status !== undefined ? { Status: "active" } : {};

const optionNameCells = ({ axes }: ExportedProduct): Cells =>
  axes.length === 0
    ? { [optionName(1)]: noOptions.name }
    : Object.fromEntries(
        optionNumbers.map((option) => [optionName(option), axes[option - 1]?.label ?? ""]),
      );

const optionValueCells = ({ axes }: ExportedProduct, { axisValues, name }: CsvVariant): Cells =>
  axes.length === 0
    ? { [optionValue(1)]: name }
    : Object.fromEntries(
        optionNumbers.map((option) => [
          optionValue(option),
          axisValues[axes[option - 1]?.name ?? ""] ?? "",
        ]),
      );

const imageCells = ({ url, position, alt }: CsvImage): Cells => ({
  "Image Src": url,
  "Image Position": String(position),
  "Image Alt Text": alt,
});

function variantCells(product: ExportedProduct, variant: CsvVariant, currency: string): Cells {
  const { sku, quantity, compareAtMinor, policy, extra } = variant;
  return {
    ...trackerCell(variant),
    ...extra,
    ...optionValueCells(product, variant),
    "Variant SKU": sku ?? "",
    "Variant Inventory Qty": quantity === null ? "" : String(quantity),
    "Variant Inventory Policy": policy,
    "Variant Price": formatMoney(
      product.defaultPriceMinor + variant.priceAdjustmentMinor,
      currency,
    ),
    "Variant Compare At Price":
      compareAtMinor === null ? "" : formatMoney(compareAtMinor, currency),
  };
}

/** Without a quantity only a tracker says that the variant is counted. */
const trackerCell = ({ tracksInventory, quantity }: CsvVariant): Cells =>
  tracksInventory && quantity === null ? { "Variant Inventory Tracker": "shopify" } : {};
