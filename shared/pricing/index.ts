export {
  type CartPrice,
  type CartTotals,
  calculateCartPrice,
  priceWithDiscounts,
  totalsOf,
} from "./cart-price.ts";
export { priceComposite } from "./composite.ts";
export {
  type LineConfiguration,
  type LineConfigurationInput,
  type LineSlot,
  type ProductSet,
  type Selection,
  withDefaultQuantities,
} from "./configuration.ts";
export { calculateDiscounts, type DeliveryPrice } from "./deal-combination.ts";
export {
  type AvailableDeals,
  type BuyXGetYDiscount,
  type CouponRejectionReason,
  couponRefusal,
  couponRejectionReasons,
  type DealClass,
  type DealConditions,
  type DealCoverage,
  type DealDiscount,
  type DealTerms,
  type DiscountType,
  dealClasses,
  discountTypes,
  isValueDiscount,
  linesRejection,
  orderRejection,
  type PricedLine,
  standardTaxClass,
  usageRejection,
  type ValueDiscount,
  type ValueDiscountType,
  valueDiscountTypes,
} from "./deal-terms.ts";
export { type Discount, discountAmount } from "./discounts.ts";
export { describeLine, type LineDetails, priceLine, requireBillingPlan } from "./price-line.ts";
export type { PricePart } from "./price-parts.ts";
export { ratesOfTaxRule, type TaxLine, type TaxRate, type TaxRates, type TaxRule } from "./tax.ts";
