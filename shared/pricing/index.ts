export { settledSelections } from "./bundle.ts";
export { type CartTotals, cartTotals, type TaxRule } from "./cart-totals.ts";
export { priceComposite } from "./composite.ts";
export type {
  AskedConfiguration,
  LineConfiguration,
  LineSlot,
  Selection,
} from "./configuration.ts";
export * from "./coupon-reason.ts";
export * from "./deal-terms.ts";
export * from "./discounts.ts";
export { chosenPlan, priceLine } from "./price-line.ts";
export type { PricePart } from "./price-part.ts";
export type { ProductSet } from "./product-set.ts";
