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
/** pending: to be paid to the business; processing: the provider has not confirmed it yet. */
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the shopper has to do before the payment can settle. */
export type NextAction =
  | Readonly<{ type: "none" }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>;

/** How the merchant received a payment that no provider took. */
export type Receipt = Readonly<{ method: string; reference: string | null }>;

/** What a provider captured instead of the requested amount. An operator has to resolve it. */
export type Mismatch = Readonly<{ reference: string; amountMinor: number; currency: string }>;

export type Payment = Readonly<{
  id: string;
  orderId: string;
  sessionId: string;
  /** Identifies the current charge, here and at the provider. */
  reference: string;
  provider: string;
  method: string;
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
  nextAction: NextAction;
  /** Authorization attempts that were not successful. */
  failedAttempts: number;
  settledAt: number | null;
  /** Null for a payment that a provider takes. */
  receipt: Receipt | null;
  /** Null unless the provider captured another amount or currency; never cleared. */
  mismatch: Mismatch | null;
  createdAt: number;
  updatedAt: number;
  version: number;
}>;

export const maxAuthorizationAttempts = 3;

/** The status of a payment before its provider is called. */
export const initialPaymentStatus = ({
  collectedBy: takenBy,
}: Pick<PaymentProvider, "collectedBy">): PaymentStatus =>
  takenBy === "business" ? "pending" : "processing";

/** Whether the payment can still be charged, authorized or verified. */
export const isOpen = ({ status }: Pick<Payment, "status">): boolean =>
  status === "requires_action" || status === "processing" || status === "failed";

/** Whether the payment was captured, also when it was refunded since. */
export const isSettled = ({ status }: Pick<Payment, "status">): boolean =>
  status === "captured" || status === "partially_refunded" || status === "refunded";

/**
 * The payment after a result for its current charge. A captured amount or currency that differs
 * from the requested one does not settle it, but is kept as a mismatch.
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
    case "due": // it stays pending
    case "no_answer":
      return payment;
  }
}

const isExpectedAmount = (payment: Payment, { amountMinor, currency }: Captured): boolean =>
  amountMinor === payment.amountMinor && currency === payment.currency;

/**
 * The charge is complete, so nothing is left for the shopper to do. A cancelled payment stays
 * cancelled.
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
