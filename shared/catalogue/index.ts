export * from "./categories/archive-category.ts";
export * from "./categories/category.ts";
export * from "./categories/category-draft.ts";
export * from "./categories/category-listing-repo.ts";
export * from "./categories/category-repo.ts";
export * from "./categories/create-category.ts";
export * from "./categories/update-category.ts";
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
export * from "./definitions/archive-bundle.ts";
export * from "./definitions/archive-composite.ts";
export * from "./definitions/bundle.ts";
export * from "./definitions/composite.ts";
export * from "./definitions/create-bundle.ts";
export * from "./definitions/create-composite.ts";
export * from "./definitions/definition-listing-repo.ts";
export * from "./definitions/definition-record-repo.ts";
export * from "./definitions/update-bundle.ts";
export * from "./definitions/update-composite.ts";
export * from "./listing/find-variant.ts";
export * from "./listing/list-cursor.ts";
export * from "./listing/listing.ts";
export * from "./listing/listing-repo.ts";
export * from "./listing/product-page-repo.ts";
export * from "./product.ts";
export * from "./product-cache.ts";
export * from "./product-repo.ts";
export * from "./products/archive-product.ts";
export * from "./products/create-product.ts";
export * from "./products/import-repo.ts";
export { paired } from "./products/keep-ids.ts";
export * from "./products/plan-product.ts";
export * from "./products/product-draft.ts";
export * from "./products/product-record-repo.ts";
export { newProductQueries } from "./products/product-write-repo.ts";
export * from "./products/retry-races.ts";
export * from "./products/stock-item-repo.ts";
export * from "./products/stored-product-repo.ts";
export * from "./products/stored-product-write-repo.ts";
export * from "./products/update-product.ts";
export { wantedSlug } from "./products/write-product.ts";
export * from "./version-memory.ts";
