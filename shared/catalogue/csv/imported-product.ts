import type { FieldIssue } from "../../kernel/index.ts";
import type { VariantAxis } from "../product.ts";

/** Columns that the catalogue has no field for: column name to the cell as written, never empty. */
export type ExtraColumns = Readonly<Record<string, string>>;

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
  extra: ExtraColumns;
}>;

export type CsvImage = Readonly<{ url: string; position: number; alt: string }>;

/**
 * What a product is in Shopify's CSV. Without axes it is a product without variants: its one entry
 * in `variants` carries sku and quantity.
 */
export type ExportedProduct = Readonly<{
  handle: string;
  title: string;
  description: string;
  tags: readonly string[];
  isPublished: boolean;
  images: readonly CsvImage[];
  axes: readonly VariantAxis[];
  defaultPriceMinor: number;
  variants: readonly CsvVariant[];
  extra: ExtraColumns;
}>;

/** As read from a file; `firstRow` is the line on which it begins. */
export type ImportedProduct = ExportedProduct & Readonly<{ firstRow: number }>;

/** `row`: the line in the file, the header being 1. `field`: the column, empty for the whole row. */
export type RejectedRow = Readonly<{ kind: "rejected"; row: number } & FieldIssue>;

export type ReadProduct = Readonly<{ kind: "product"; draft: ImportedProduct }> | RejectedRow;
