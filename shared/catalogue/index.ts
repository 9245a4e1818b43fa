export * from "./archive-bundle.ts";
export * from "./archive-category.ts";
export * from "./archive-composite.ts";
export * from "./archive-product.ts";
export * from "./bundle.ts";
export * from "./category.ts";
export * from "./category-draft.ts";
export * from "./category-listing-repo.ts";
export * from "./category-repo.ts";
export * from "./composite.ts";
export * from "./create-bundle.ts";
export * from "./create-category.ts";
export * from "./create-composite.ts";
export * from "./create-product.ts";
export { exportColumns, isOfVariant, noOptions, optionNumbers } from "./csv/columns.ts";
export type {
  CsvVariant,
  ExportedProduct,
  ExtraColumns,
  ImportedProduct,
  RejectedRow,
} from "./csv/imported-product.ts";
export { inventoryPolicies } from "./csv/imported-product.ts";
export { readProducts } from "./csv/read-products.ts";
export { writeProducts } from "./csv/write-products.ts";
export * from "./definition-listing-repo.ts";
export * from "./definition-record-repo.ts";
export * from "./find-variant.ts";
export * from "./import-repo.ts";
export { paired } from "./keep-ids.ts";
export * from "./list-cursor.ts";
export * from "./listing.ts";
export * from "./listing-repo.ts";
export * from "./plan-product.ts";
export * from "./product.ts";
export * from "./product-cache.ts";
export * from "./product-draft.ts";
export * from "./product-page-repo.ts";
export * from "./product-record-repo.ts";
export * from "./product-repo.ts";
export { newProductQueries } from "./product-write-repo.ts";
export * from "./retry-races.ts";
export * from "./stock-item-repo.ts";
export * from "./stored-product-repo.ts";
export * from "./stored-product-write-repo.ts";
export * from "./update-bundle.ts";
export * from "./update-category.ts";
export * from "./update-composite.ts";
export * from "./update-product.ts";
export * from "./version-memory.ts";
export { wantedSlug } from "./write-product.ts";
