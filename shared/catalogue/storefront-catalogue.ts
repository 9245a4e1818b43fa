// The reads of the catalogue for the storefront API, except product lists (product-listing.ts).
// Every read returns active products only and takes one round trip.

export { listCategoryAttributes, listCollectionAttributes } from "./attributes/attribute-repo.ts";
export { findCategory, listCategories } from "./categories/category-list-query.ts";
export type { ListedCollection } from "./collections/collection.ts";
export {
  findCollection,
  listCollectionProducts,
  listCollections,
} from "./collections/collection-list-query.ts";
export {
  findBundle,
  findBundleByProduct,
  findComposite,
  findCompositeByProduct,
  type ListedBundle,
  type ListedComposite,
  listBundles,
  listComposites,
} from "./definitions/definition-list-query.ts";
export { findCatalogueEntries, listCatalogueEntries } from "./listing/catalogue-entry-query.ts";
export { findEligiblePlans } from "./plans/billing-plan-repo.ts";
export { listOfferedPlans } from "./plans/offered-plan-query.ts";
export { findVariant } from "./product.ts";
export { findProductPage, type ProductPage } from "./product-page-query.ts";
export { availabilityOf, unavailableReasons } from "./schedules/availability.ts";
