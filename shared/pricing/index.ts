export { type CartTotals, cartTotals, type TaxRule } from "./cart-totals.ts";
export { type CompositePrice, priceComposite } from "./composite.ts";
export type { LineConfiguration, Selection } from "./configuration.ts";
export { type LinePrice, priceLine } from "./price-line.ts";
export type { PricePart } from "./price-part.ts";
export type { ProductSet } from "./product-set.ts";
