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
      return { ...changed, status: "requires_action", nextAction: result };
    case "redirect":
      return { ...changed, status: "requires_action", nextAction: result };
    case "await":
      return { ...changed, status: "processing", nextAction: result };
    case "declined":
      return { ...changed, status: "failed", nextAction: { type: "none" } };
    case "due": // The payment stays pending.
    case "no_answer":
      return payment;
  }
}

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
