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
export { calculateDiscounts } from "./discounts/deal-combination.ts";
export {
  type CouponRejectionReason,
  couponRefusal,
  couponRejectionReasons,
  linesRejection,
  orderRejection,
  usageRejection,
} from "./discounts/deal-rejection.ts";
export {
  type AvailableDeals,
  type DealClass,
  type DealConditions,
  type DealCoverage,
  type DealDiscount,
  type DealTerms,
  type DiscountType,
  dealClasses,
  discountTypes,
  isValueDiscount,
  type PricedLine,
  type ValueDiscount,
  type ValueDiscountType,
  valueDiscountTypes,
} from "./discounts/deal-terms.ts";
export {
  type Discount,
  discountAmount,
  type LineDiscount,
  lineDiscounts,
} from "./discounts/discount.ts";
export { describeLine, type LineDetails, priceLine, requireBillingPlan } from "./price-line.ts";
export type { PricePart } from "./price-parts.ts";
export {
  type AppliedTaxRate,
  defaultTaxName,
  ratesOfTaxRule,
  type TaxLine,
  type TaxRule,
  type TaxTreatment,
} from "./tax.ts";
