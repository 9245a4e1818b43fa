export { priceComposite } from "./composite.ts";
export {
  type LineConfiguration,
  type LineConfigurationInput,
  type LineSlot,
  type ProductSet,
  type Selection,
  withDefaultQuantities,
} from "./configuration.ts";
export { describeLine, type LineDetails, priceLine, requireBillingPlan } from "./price-line.ts";

export {
  type AvailableDeals,
  type CartTotals,
  type CouponRejectionReason,
  calculateCartTotals,
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
  type PricePart,
  type TaxRule,
  totalDiscount,
  usageRejection,
} from "./totals.ts";
