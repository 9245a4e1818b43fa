export { priceComposite } from "./composite.ts";
export {
  type LineConfiguration,
  type LineConfigurationInput,
  type LineSlot,
  type Selection,
  withDefaultQuantities,
} from "./configuration.ts";
export {
  type AvailableDeals,
  type CouponRejectionReason,
  calculateDiscounts,
  couponRefusal,
  couponRejectionReasons,
  type DealConditions,
  type DealCoverage,
  type DealDiscount,
  type DealTerms,
  type Discount,
  type DiscountableLine,
  type DiscountType,
  discountAmount,
  discountTypes,
  linesRejection,
  orderRejection,
  totalDiscount,
  usageRejection,
} from "./discounts.ts";
export { priceLine, requireBillingPlan } from "./price-line.ts";
export type { ProductSet } from "./product-set.ts";
export { type CartTotals, calculateCartTotals, type PricePart, type TaxRule } from "./totals.ts";
