export {
  cancelSubscription,
  choosePaymentMethod,
  pauseSubscription,
  resumeSubscription,
  type SubscriptionRequester,
  skipRenewal,
} from "./change-subscription.ts";
export { isProviderSilentTooLong } from "./dunning.ts";
export { isCancelling, subscriptionEvent } from "./events.ts";
export { type Invoice, invoiceStatuses } from "./invoice.ts";
export { invoiceRepo } from "./invoice-repo.ts";
export type { LineSubscription } from "./new-subscription.ts";
export { type Cadence, periodBoundary, periodNumberAt } from "./period.ts";
export { subscriptionPersonalData } from "./personal-data-repo.ts";
export {
  dueActionFor,
  nextPeriod,
  withEndReached,
  withFailedPayment,
  withNextRunRescheduled,
  withPeriodSkipped,
  withRenewalPostponed,
  withUnansweredCharge,
} from "./renewal-cycle.ts";
export {
  claimDueSubscriptions,
  dueSubscriptions,
  type InvoicedSubscription,
  subscriptionRefusals,
  subscriptionRepo,
  toInvoicedSubscription,
} from "./repo.ts";
export {
  currentPeriod,
  effectiveCancelledAt,
  hasEnded,
  hasRequestedCharge,
  nextChargeAt,
  type PaymentSource,
  renewalAmountMinor,
  renewalPrice,
  type Subscription,
  type SubscriptionItem,
  statusOf,
  subscriptionStatuses,
  withVersionRaised,
} from "./subscription.ts";
export {
  planSubscriptionsOnCancellation,
  planSubscriptionsOnPayment,
} from "./subscriptions-of-order.ts";
export type { PaymentChoice } from "./transitions.ts";
