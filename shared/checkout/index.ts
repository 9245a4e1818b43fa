export { abandonCheckout, cancelFailedOrders } from "./abandon-checkout.ts";
export { type BookingRequest, bookService } from "./book-service.ts";
export { CartRefusal } from "./cart-refusal.ts";
export {
  type Checkout,
  type CheckoutRequest,
  type CompletedCheckout,
  isCompleted,
  orderIdsToReplace,
  type PlacingReads,
  type SentCheckoutRequest,
} from "./checkout.ts";
export { type CheckoutResult, requireCheckoutResult } from "./checkout-result.ts";
export type { CheckoutContext } from "./context.ts";
export { assertReachable } from "./own-details.ts";
export { payOrder } from "./pay-order/pay-order.ts";
export type { PayOrderContext, PayOrderRequest } from "./pay-order/start-attempt.ts";
export { EarlierOrderSold } from "./replaced-orders.ts";
export {
  CheckoutRepo,
  checkoutMigrations,
  isOpen,
  type OpenCheckout,
  type StoredCheckout,
} from "./repo.ts";
export { runCheckout } from "./run-checkout.ts";
export { planCheckout } from "./steps/plan-checkout.ts";
