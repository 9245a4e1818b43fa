import type { AuthorizationType, Captured, ChargeResult, PaymentProvider } from "./provider.ts";

export const paymentStatuses = [
  "pending",
  "requires_action",
  "processing",
  "captured",
  "failed",
  "cancelled",
  "refunded",
  "partially_refunded",
] as const;
/**
 * `pending`: the shopper has to pay the business directly. `processing`: the provider has not
 * confirmed the payment yet.
 */
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the shopper has to do before the payment can settle. */
export type NextAction =
  | Readonly<{ type: "none" }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>;

/** How the merchant received a payment without a provider, for example in cash. */
export type Receipt = Readonly<{ method: string; reference: string | null }>;

/**
 * An amount or currency that a provider captured although another one was requested. An operator
 * has to resolve the difference.
 */
export type Mismatch = Readonly<{ reference: string; amountMinor: number; currency: string }>;

export const disputeStatuses = [
  "needs_response",
  "under_review",
  "won",
  "lost",
  "warning_needs_response",
  "warning_under_review",
  "warning_closed",
  "prevented",
] as const;
/** `warning_…`: an inquiry of the bank, before it takes money back. */
export type DisputeStatus = (typeof disputeStatuses)[number];

/** A payer's bank that contests a charge. The provider decides its status. */
export type Dispute = Readonly<{
  /** The provider's id of the dispute. */
  id: string;
  status: DisputeStatus;
  /** Why the payer contests the charge, in the provider's word, such as `fraudulent`. */
  reason: string;
  /** The contested amount, in the currency of the charge. */
  amountMinor: number;
  currency: string;
  /** Until when the business can answer; null when it cannot. */
  dueBy: number | null;
  openedAt: number;
  updatedAt: number;
}>;

export type Payment = Readonly<{
  id: string;
  orderId: string;
  sessionId: string;
  /** The id of the payment's current charge, used by this service and by the provider. */
  reference: string;
  provider: string;
  method: string;
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
  nextAction: NextAction;
  /** Counts authorization attempts, except those whose value was right. */
  failedAttempts: number;
  settledAt: number | null;
  /** How the merchant received the payment. Null when a provider takes it. */
  receipt: Receipt | null;
  /**
   * Set when the provider captured another amount or currency than requested, and never cleared.
   */
  mismatch: Mismatch | null;
  /** The newest dispute about a charge of the payment; null when there was none. */
  dispute: Dispute | null;
  createdAt: number;
  updatedAt: number;
  version: number;
}>;

export const maxAuthorizationAttempts = 3;

/** A new payment's status, before the provider is called. */
export const initialPaymentStatus = ({
  collectedBy,
}: Pick<PaymentProvider, "collectedBy">): PaymentStatus =>
  collectedBy === "business" ? "pending" : "processing";

/** Whether the payment can still be charged, authorized or verified. */
export const isOpen = ({ status }: Pick<Payment, "status">): boolean =>
  status === "requires_action" || status === "processing" || status === "failed";

/** Whether the payment was captured. A refund does not change this. */
export const isSettled = ({ status }: Pick<Payment, "status">): boolean =>
  status === "captured" || status === "partially_refunded" || status === "refunded";

/**
 * The payment after the provider's result for its current charge. A wrong amount or currency does
 * not settle the payment and is stored as a mismatch.
 */
export function withChargeResult(payment: Payment, result: ChargeResult, now: number): Payment {
  const changed = { ...payment, version: payment.version + 1, updatedAt: now };
  switch (result.type) {
    case "captured":
      if (!isExpectedAmount(payment, result)) return withMismatch(changed, result);
      return { ...changed, status: "captured", nextAction: { type: "none" }, settledAt: now };
    case "authorization":
      return { ...changed, status: "requires_action", nextAction: toNextAction(result) };
    case "redirect":
      return { ...changed, status: "requires_action", nextAction: toNextAction(result) };
    case "await":
      return { ...changed, status: "processing", nextAction: toNextAction(result) };
    case "declined":
    case "unavailable":
      return { ...changed, status: "failed", nextAction: { type: "none" } };
    case "due": // The payment stays pending.
    case "no_answer":
      return payment;
  }
}

/** What the shopper has to do, without the provider's own id of the charge. */
const toNextAction = <T extends Readonly<{ providerReference?: string }>>({
  providerReference: _,
  ...action
}: T): Omit<T, "providerReference"> => action;

const isExpectedAmount = (payment: Payment, { amountMinor, currency }: Captured): boolean =>
  amountMinor === payment.amountMinor && currency === payment.currency;

/**
 * The shopper has nothing left to do, because money was captured, although the amount is wrong. A
 * cancelled payment stays cancelled.
 */
const withMismatch = (payment: Payment, { amountMinor, currency }: Captured): Payment => ({
  ...payment,
  status: payment.status === "cancelled" ? "cancelled" : "processing",
  nextAction: { type: "none" },
  mismatch: { reference: payment.reference, amountMinor, currency },
});

/** The payment after its last authorization attempt failed. */
export const withoutAttemptsLeft = (payment: Payment, now: number): Payment => ({
  ...payment,
  status: "failed",
  nextAction: { type: "none" },
  version: payment.version + 1,
  updatedAt: now,
});
