export { type CartTotals, cartTotals, type TaxRule } from "./cart-totals.ts";
export { priceComposite } from "./composite.ts";
export type { LineConfiguration, Selection } from "./configuration.ts";
export * from "./coupon-reason.ts";
export * from "./deal-terms.ts";
export * from "./discounts.ts";
export { priceLine } from "./price-line.ts";
export { type ProductSet, standardVariant } from "./product-set.ts";
