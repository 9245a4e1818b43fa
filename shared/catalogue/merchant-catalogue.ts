// The use cases and repositories with which the business API manages the catalogue.

export type {
  AttributeOwner,
  AttributePatch,
  NewAttribute,
} from "./attributes/attribute.ts";
export { type AttributeRecord, attributeRepo } from "./attributes/attribute-repo.ts";
export * from "./attributes/change-attribute.ts";
export type { CategoryPatch } from "./categories/category.ts";
export { categoryRepo } from "./categories/category-repo.ts";
export * from "./categories/change-category.ts";
export * from "./collections/change-collection.ts";
export type {
  CollectionMembers,
  CollectionPatch,
  NewCollection,
} from "./collections/collection.ts";
export { type CollectionRecord, collectionRepo } from "./collections/collection-repo.ts";
export type { BundleComponentDraft, BundlePatch, NewBundle } from "./definitions/bundle.ts";
export * from "./definitions/change-bundle.ts";
export * from "./definitions/change-composite.ts";
export type {
  CompositeGroupDraft,
  CompositePatch,
  NewComposite,
} from "./definitions/composite.ts";
export { definitionRepo } from "./definitions/definition-repo.ts";
export type { BillingPlanPatch, NewBillingPlan } from "./plans/billing-plan.ts";
export { billingPlanRepo } from "./plans/billing-plan-repo.ts";
export * from "./plans/change-billing-plan.ts";
export { bundlePricingTypes } from "./product.ts";
export * from "./products/change-product.ts";
export * from "./products/change-product-part.ts";
export * from "./products/change-product-statuses.ts";
export type {
  AddOnDraft,
  ArchivedLocations,
  ScheduleDraft,
  VariantDraft,
} from "./products/product-draft.ts";
export { productRecordRepo } from "./products/product-record-repo.ts";
export { findStockItem } from "./stock-item-query.ts";
export { stockItemsOfSearch } from "./stock-search-query.ts";
