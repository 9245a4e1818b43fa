import type { ImportedColumns, VariantAxis } from "../../catalogue/index.ts";
import type { RejectedRow } from "./rejected-row.ts";

export const inventoryPolicies = ["deny", "continue"] as const;
export type InventoryPolicy = (typeof inventoryPolicies)[number];

export type CsvVariant = Readonly<{
  axisValues: Readonly<Record<string, string>>;
  /** The axis values, such as "Small / Red". "Default Title" for a product without variants. */
  name: string;
  sku: string | null;
  /** Added to the product's default price. The default price is that of the first variant. */
  priceAdjustmentMinor: number;
  compareAtMinor: number | null;
  quantity: number | null;
  tracksInventory: boolean;
  policy: InventoryPolicy;
  /** What a unit weighs; null for a cell without a weight. */
  grams: number | null;
  /** Whether the product is shipped; null for a cell that does not say. */
  requiresShipping: boolean | null;
  /** The cells of columns for which the catalogue has no field; empty cells are left out. */
  unmappedColumns: ImportedColumns;
}>;

export type CsvImage = Readonly<{ url: string; position: number; alt: string }>;

/**
 * A product in Shopify's CSV format. A product without axes has no variants in the catalogue, and
 * its only entry in `variants` has its sku and quantity.
 */
export type CsvProduct = Readonly<{
  handle: string;
  title: string;
  description: string;
  tags: readonly string[];
  isPublished: boolean;
  /** The code of a tax class; null when the file does not say. */
  taxClass: string | null;
  images: readonly CsvImage[];
  axes: readonly VariantAxis[];
  defaultPriceMinor: number;
  variants: readonly CsvVariant[];
  /** The cells of columns for which the catalogue has no field; empty cells are left out. */
  unmappedColumns: ImportedColumns;
}>;

/** A product read from a file. `firstRow` is the number of its first line in the file. */
export type ImportedProduct = CsvProduct & Readonly<{ firstRow: number }>;

export type CsvResult = Readonly<{ kind: "product"; product: ImportedProduct }> | RejectedRow;
