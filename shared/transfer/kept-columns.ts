import type { ImportedColumns } from "../catalogue/index.ts";
import { isVariantColumn } from "./csv/columns.ts";
import { type CsvVariant, type ImportedProduct, inventoryPolicies } from "./csv/csv-product.ts";

// `imported_columns` stores the cells for which the catalogue has no field, so that an export can
// write them again. Functions named `to…` build the stored value, functions named `from…` read it.

const columnNames = {
  altText: "Image Alt Text",
  policy: "Variant Inventory Policy",
  sku: "Variant SKU",
  tracker: "Variant Inventory Tracker",
} as const;

/**
 * The stored columns of a product. A product without variants also stores the variant columns of
 * its only row.
 */
export function toProductColumns({
  unmappedColumns,
  images,
  axes,
  variants: [onlyVariant],
}: ImportedProduct): ImportedColumns {
  const altTexts = Object.fromEntries(images.flatMap(({ url, alt }) => (alt ? [[url, alt]] : [])));
  const hasNoVariants = axes.length === 0;
  return {
    ...unmappedColumns,
    ...(Object.keys(altTexts).length > 0 && { [columnNames.altText]: JSON.stringify(altTexts) }),
    ...(hasNoVariants && onlyVariant && toVariantColumns(onlyVariant)),
    ...(hasNoVariants && onlyVariant?.sku && { [columnNames.sku]: onlyVariant.sku }),
  };
}

export function toVariantColumns({
  unmappedColumns,
  policy,
  quantity,
}: CsvVariant): ImportedColumns {
  // The tracker is not stored without a quantity, because the export then writes it anyway.
  const { [columnNames.tracker]: tracker, ...otherColumns } = unmappedColumns;
  return {
    ...(quantity === null && tracker === "shopify" ? otherColumns : unmappedColumns),
    ...(policy !== "deny" && { [columnNames.policy]: policy }),
  };
}

export function fromProductColumns(columns: ImportedColumns): {
  unmappedColumns: ImportedColumns;
  altTextOf: (url: string) => string;
} {
  const unmapped = Object.entries(columns).filter(
    ([name]) => name !== columnNames.altText && !isVariantColumn(name),
  );
  const altTexts = new Map<string, unknown>(
    Object.entries(JSON.parse(columns[columnNames.altText] ?? "{}")),
  );
  return {
    unmappedColumns: Object.fromEntries(unmapped),
    altTextOf: (url) => String(altTexts.get(url) ?? ""),
  };
}

export function fromVariantColumns(
  columns: ImportedColumns,
): Pick<CsvVariant, "policy" | "unmappedColumns"> {
  const { [columnNames.policy]: policy, [columnNames.sku]: _, ...unmappedColumns } = columns;
  return {
    policy: inventoryPolicies.find((candidate) => candidate === policy) ?? "deny",
    unmappedColumns,
  };
}

/** Reads the stored variant columns of a product without variants. */
export function fromOnlyVariantColumns(
  columns: ImportedColumns,
): Pick<CsvVariant, "policy" | "unmappedColumns" | "sku"> {
  const variantColumns = Object.entries(columns).filter(([name]) => isVariantColumn(name));
  return {
    ...fromVariantColumns(Object.fromEntries(variantColumns)),
    sku: columns[columnNames.sku] ?? null,
  };
}
