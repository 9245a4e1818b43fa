export { createBookingCart } from "./booking-cart.ts";
export {
  addLine,
  assertCartFits,
  type Cart,
  type CartCoupon,
  type CartLine,
  cartLocationId,
  changedLines,
  emptyCart,
  itemCount,
  maxCartLines,
  maxLineQuantity,
  type NewLine,
  type PlanTerms,
} from "./cart.ts";
export {
  addItem,
  locationBoundNeeds,
  type NewItem,
  outOfStock,
} from "./cart-items.ts";
export { couponRemoved, deliveryRemoved } from "./cart-notice.ts";
export {
  cartPrice,
  cartProductIds,
  lineSnapshot,
  pricedLines,
  repriceLines,
  repriceLinesThatFit,
  unavailableLines,
  withDiscounts,
} from "./cart-price.ts";
export { withCurrentTax } from "./cart-tax.ts";
export { changeItemQuantity, clearCart, removeItem } from "./change-items.ts";
export type { CartContext } from "./context.ts";
export {
  cartFromStored,
  couponCodesOf,
  findCoupon,
  findOffer,
  isLimitedToGroups,
  offerForCustomerGroups,
  removalReason,
  toCartCoupon,
} from "./coupons/cart-coupons.ts";
export {
  applyCoupon,
  previewCoupon,
  removeCoupon,
  removeCoupons,
} from "./coupons/change-coupons.ts";
export { prefetchTerms, withCurrentDelivery, withOption } from "./current-terms.ts";
export { chooseDelivery, lastDeliveryAddress, removeDelivery } from "./delivery/change-delivery.ts";
export {
  findOptions,
  listDeliveryOptions,
  prefetchDeliveryOptions,
  requiresHandover,
} from "./delivery/delivery-options.ts";
export { quoteLocksUnchanged, refreshQuoteLocks } from "./quote-lock.ts";
export { type CartRepo, cartMigrations, cartRepo, createCartTables } from "./repo.ts";
export { holdRestoredSlots, restoreLines } from "./restore-lines.ts";
export {
  assertMayBook,
  computeHoldId,
  lineSlotAllocation,
  releaseHolds,
  type SlotRequest,
} from "./slot-hold.ts";
export { takeRefreshedQuote } from "./take-refreshed-quote.ts";
