/** The columns of Shopify's product export, in its order. */
export const standardColumns: readonly string[] = [
  "Handle",
  "Title",
  "Body (HTML)",
  "Vendor",
  "Type",
  "Tags",
  "Published",
  "Option1 Name",
  "Option1 Value",
  "Option2 Name",
  "Option2 Value",
  "Option3 Name",
  "Option3 Value",
  "Variant SKU",
  "Variant Grams",
  "Variant Inventory Tracker",
  "Variant Inventory Qty",
  "Variant Inventory Policy",
  "Variant Fulfillment Service",
  "Variant Price",
  "Variant Compare At Price",
  "Variant Requires Shipping",
  "Variant Taxable",
  "Variant Barcode",
  "Image Src",
  "Image Position",
  "Image Alt Text",
  "Gift Card",
  "SEO Title",
  "SEO Description",
  "Google Shopping / Google Product Category",
  "Google Shopping / Gender",
  "Google Shopping / Age Group",
  "Google Shopping / MPN",
  "Google Shopping / AdWords Grouping",
  "Google Shopping / AdWords Labels",
  "Google Shopping / Condition",
  "Google Shopping / Custom Product",
  "Google Shopping / Custom Label 0",
  "Google Shopping / Custom Label 1",
  "Google Shopping / Custom Label 2",
  "Google Shopping / Custom Label 3",
  "Google Shopping / Custom Label 4",
  "Variant Image",
  "Variant Weight Unit",
  "Variant Tax Code",
];

export const requiredColumns = ["Handle", "Title", "Variant Price"] as const;

/** The column of a product's tax class, which Shopify's format does not have. */
export const taxClassColumn = "Tax Class";

/** Shopify's format has three options per product. */
export const optionNumbers = [1, 2, 3] as const;
export type OptionNumber = (typeof optionNumbers)[number];
export const optionName = (option: OptionNumber) => `Option${option} Name`;
export const optionValue = (option: OptionNumber) => `Option${option} Value`;

const mappedColumns: ReadonlySet<string> = new Set([
  "Handle",
  "Title",
  "Body (HTML)",
  "Tags",
  "Published",
  taxClassColumn,
  "Variant SKU",
  "Variant Grams",
  "Variant Inventory Qty",
  "Variant Inventory Policy",
  "Variant Price",
  "Variant Compare At Price",
  "Variant Requires Shipping",
  "Image Src",
  "Image Position",
  "Image Alt Text",
  ...optionNumbers.map(optionName),
  ...optionNumbers.map(optionValue),
]);

/**
 * Whether the catalogue has no field for the column. The cells of such a column are stored
 * unchanged.
 */
export const isUnmappedColumn = (column: string) => !mappedColumns.has(column);

/**
 * Whether a cell of this column belongs to the row's variant. In a product's first row, all other
 * cells belong to the product.
 */
export const isVariantColumn = (column: string) =>
  /^Variant |^Cost per item$|^(Compare At )?Price \/ |\(variant\.metafields\./.test(column);

/** The option that Shopify writes for a product without variants. */
export const defaultOption = { name: "Title", value: "Default Title" } as const;

/** The standard columns, followed by the other columns that imported products have. */
export function exportColumns(importedColumns: Iterable<string>): readonly string[] {
  const others = new Set(importedColumns);
  for (const column of standardColumns) others.delete(column);
  return [...standardColumns, ...[...others].sort()];
}
