import type { ImportedColumns, VariantAxis } from "../../catalogue/index.ts";
import type { RejectedRow } from "./rejected-row.ts";

export const inventoryPolicies = ["deny", "continue"] as const;
export type InventoryPolicy = (typeof inventoryPolicies)[number];

export type CsvVariant = Readonly<{
  axisValues: Readonly<Record<string, string>>;
  /** "Small / Red"; "Default Title" for a product without variants. */
  name: string;
  sku: string | null;
  /** Added to the product's default price, which is the price of the first variant. */
  priceAdjustmentMinor: number;
  compareAtMinor: number | null;
  quantity: number | null;
  tracksInventory: boolean;
  policy: InventoryPolicy;
  /** The non-empty cells of columns that the catalogue has no field for. */
  unmappedColumns: ImportedColumns;
}>;

export type CsvImage = Readonly<{ url: string; position: number; alt: string }>;

/**
 * A product of Shopify's CSV format. Without axes it has no variants in the catalogue: its single
 * entry in `variants` carries its sku and quantity.
 */
export type CsvProduct = Readonly<{
  handle: string;
  title: string;
  description: string;
  tags: readonly string[];
  isPublished: boolean;
  images: readonly CsvImage[];
  axes: readonly VariantAxis[];
  defaultPriceMinor: number;
  variants: readonly CsvVariant[];
  /** The non-empty cells of columns that the catalogue has no field for. */
  unmappedColumns: ImportedColumns;
}>;

/** A product read from a file; `firstRow` is the line on which it begins. */
export type ImportedProduct = CsvProduct & Readonly<{ firstRow: number }>;

export type CsvResult = Readonly<{ kind: "product"; product: ImportedProduct }> | RejectedRow;
