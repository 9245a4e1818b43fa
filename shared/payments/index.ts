export { cashProvider } from "./cash.ts";
export {
  findKnownCharges,
  findKnownRefunds,
  hastenRefunds,
  type KnownCharge,
  type KnownRefund,
  listSettledRefunds,
  listUnlistedCharges,
  markListed,
  type SettledRefund,
} from "./known-money-query.ts";
export type {
  ListedCharge,
  ListedRefund,
  ProviderLedger,
} from "./ledger.ts";
export {
  type MobileMoneyProvider,
  mobileMoneyProvider,
  mobileMoneyProviders,
} from "./mobile-money.ts";
export {
  type Dispute,
  disputeStatuses,
  initialPaymentStatus,
  isOpen,
  isSettled,
  type Mismatch,
  maxAuthorizationAttempts,
  type NextAction,
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  type Receipt,
  withChargeResult,
  withoutAttemptsLeft,
} from "./payment.ts";
export {
  attemptLeaseMs,
  attemptStatus,
  findAttempt,
  newAttempt,
  nextAttempt,
  type PaymentAttempt,
  paymentOfAttempt,
  replacedAttempts,
} from "./payment-attempt.ts";
export { paymentDeclined, paymentUnavailable, providerUnavailable } from "./payment-refusals.ts";
export { checkPaystackAccount } from "./paystack/check-account.ts";
export { createPaystackClient, type PaystackSettings } from "./paystack/client.ts";
export { paystackLedger } from "./paystack/ledger.ts";
export { paystackProvider } from "./paystack/provider.ts";
export { parsePaystackWebhook } from "./paystack/webhook.ts";
export { paymentPersonalData } from "./personal-data-repo.ts";
export {
  type Authorization,
  authorizationTypes,
  type Captured,
  type ChargeFacts,
  type ChargeRequest,
  type ChargeResult,
  type ChargeState,
  keyRefused,
  type MobileMoney,
  type MoneyAlert,
  noAnswer,
  openChargeResult,
  type PaymentProvider,
  purgedProvider,
  type RefundRequest,
  type RefundResult,
  type RenewalRequest,
  type ReturnUrls,
  type UnavailableReason,
  unavailableCharge,
  type VerifyResult,
  withoutCharges,
  withoutNewPayments,
  withoutRenewals,
} from "./provider.ts";
export {
  assertMethodPayable,
  isMethodPayable,
  type ProviderLookup,
  payableMethods,
  requireProvider,
} from "./provider-lookup.ts";
export { isOwnAccountName, ownAccountName, publicProviderName } from "./provider-names.ts";
export {
  maxRefundAttempts,
  type Refund,
  refundableMinor,
  refundStatuses,
  withRefunds,
} from "./refunds/refund.ts";
export {
  claimDueRefunds,
  countPendingRefunds,
  type DueRefund,
  dueRefunds,
  type RefundRow,
  refundLimitConstraint,
  refundRepo,
  refundsOfOrders,
  toRefund,
} from "./refunds/refund-repo.ts";
export {
  attemptsOfOrders,
  cancelPayments,
  findPaymentByReference,
  type PaymentAttemptRow,
  type PaymentRow,
  paymentRepo,
  paymentsOfOrders,
  providerNameQuery,
  toAttempts,
  toPayment,
} from "./repo.ts";
export { isReturnUrl, returnUrlsOf } from "./return-url.ts";
export { type CardPageUrl, sandboxProvider } from "./sandbox.ts";
export { type SandboxCard, sandboxCards } from "./sandbox-cards.ts";
export { sandboxLedger } from "./sandbox-ledger-query.ts";
export { checkStripeAccount } from "./stripe/check-account.ts";
export type { StripeConnection } from "./stripe/client.ts";
export { createStripeDisputes, type StripeDispute } from "./stripe/dispute.ts";
export { stripeLedger } from "./stripe/ledger.ts";
export { stripeProvider } from "./stripe/provider.ts";
export { parseStripeWebhook } from "./stripe/webhook.ts";
