export { type Attribute, attributeTypes } from "./attributes/attribute.ts";
export {
  type CatalogueVersionCache,
  createProductCache,
  createVersionCache,
} from "./catalogue-cache.ts";
export {
  type AtVersion,
  type CatalogueReader,
  catalogueVersionQuery,
  raiseCatalogueVersion,
  readCatalogueVersion,
} from "./catalogue-version-repo.ts";
export type { Category, CategoryName, ListedCategory } from "./categories/category.ts";
export { categoryAndAncestorIds, targetSoldAt, unknownTargetIds } from "./deal-target-query.ts";
export { bundleLimits } from "./definitions/bundle.ts";
export { bundleDiscount } from "./definitions/bundle-price.ts";
export { refreshBundlePrices } from "./definitions/bundle-price-repo.ts";
export { compositeLimits } from "./definitions/composite.ts";
export type { CatalogueEntry } from "./listing/catalogue-entry-query.ts";
export type { ListedProduct } from "./listing/product-list.ts";
export { withLocationPrices } from "./location-prices.ts";
export * as merchantCatalogue from "./merchant-catalogue.ts";
export { type BillingPlan, type PlanInterval, planIntervals } from "./plans/billing-plan.ts";
export * as productPopularity from "./popularity-repo.ts";
export {
  billingPlansUnchanged,
  groupsUnchanged,
  productsUnchanged,
} from "./price-check-query.ts";
export {
  type AddOnGroup,
  type AddOnOption,
  type Bundle,
  type BundleComponent,
  type BundlePricing,
  type Composite,
  type CompositeComponent,
  type CompositeGroup,
  compareAtPriceOf,
  defaultVariantOf,
  type InventoryType,
  inventoryTypes,
  mainImageUrl,
  maxProductImages,
  type OfferedProduct,
  type PriceOverride,
  type Product,
  type ProductImage,
  priceRangeOf,
  productTypes,
  requiresShipping,
  selectionTypes,
  shownCompareAtPrice,
  standardTaxClass,
  type Variant,
  type VariantAxis,
  weightOf,
} from "./product.ts";
export { idsByIdOrSlug, withComponentIds } from "./product-conditions-query.ts";
export type { ProductGroupFilter } from "./product-groups-query.ts";
export * as productListing from "./product-listing.ts";
export { findActiveProduct } from "./product-page-query.ts";
export { productRepo, productTaxClassesQuery } from "./product-repo.ts";
export {
  type ProductSnapshot,
  productSnapshotQuery,
  productsFromSnapshot,
} from "./product-snapshot-query.ts";
export { buildImages, imagesBeside } from "./products/build-images.ts";
export { matchEntries } from "./products/match-entries.ts";
export {
  planNewProduct,
  planProductArchive,
  planProductUpdate,
  productAuditEntry,
} from "./products/plan-product.ts";
export type { NewProduct, ProductPatch } from "./products/product-draft.ts";
export {
  categoryById,
  newProductQueries,
  type ProductCursor,
  type ProductRecord,
  productRecordQueries,
  toProductRecords,
} from "./products/product-record-repo.ts";
export {
  type ImportedColumns,
  type StoredProduct,
  type StoredProductChange,
  type StoredVariant,
  storedProductRepo,
} from "./products/stored-product-repo.ts";
export { isOffered } from "./schedules/availability.ts";
export type { ScheduleRule } from "./schedules/schedule.ts";
export { type StockTarget, stockProductId, stockProductQuery } from "./stock-item-query.ts";
export * as storefrontCatalogue from "./storefront-catalogue.ts";
export { findProductsOfVariants } from "./variant-products-query.ts";
