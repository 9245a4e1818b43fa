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
/** pending: not yet handed over to the business; processing: the provider's word is awaited (completions.md 6). */
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the shopper has to do before the payment can settle (completions.md 6). */
export type NextAction =
  | Readonly<{ type: "none" }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>;

/** What the merchant noted of money that was handed over. */
export type Receipt = Readonly<{ method: string; reference: string | null }>;

/** What a provider took under one of our references that is not what was asked for: a matter for a human. */
export type Mismatch = Readonly<{ reference: string; amountMinor: number; currency: string }>;

export type Payment = Readonly<{
  id: string;
  orderId: string;
  sessionId: string;
  /** Ours, and the provider's for this charge. */
  reference: string;
  provider: string;
  method: string;
  status: PaymentStatus;
  amountMinor: number;
  currency: string;
  nextAction: NextAction;
  /** Authorization values that were tried and not found right. */
  failedAttempts: number;
  settledAt: number | null;
  /** How the money was handed over, where no provider took it; null for a provider's. */
  receipt: Receipt | null;
  /** Null unless the provider took another amount or currency; it stays, whatever follows. */
  mismatch: Mismatch | null;
  createdAt: number;
  updatedAt: number;
  version: number;
}>;

export const maxFailedAttempts = 3;

/** How a payment begins, before its provider was asked. */
export const firstStatus = ({ takenBy }: Pick<PaymentProvider, "takenBy">): PaymentStatus =>
  takenBy === "business" ? "pending" : "processing";

/** Whether the payment can still be charged, authorized or verified. */
export const isOpen = ({ status }: Pick<Payment, "status">): boolean =>
  status === "requires_action" || status === "processing" || status === "failed";

/**
 * The payment after the provider's word on the charge of its reference. What the provider says it
 * captured must be what was asked: another amount or currency settles nothing (completions.md 6),
 * and stands there for a human.
 */
export function afterCharge(payment: Payment, result: ChargeResult, now: number): Payment {
  const changed = { ...payment, version: payment.version + 1, updatedAt: now };
  switch (result.type) {
    case "captured":
      if (!isAsAsked(payment, result)) return withMismatch(changed, result);
      return { ...changed, status: "captured", nextAction: { type: "none" }, settledAt: now };
    case "authorization":
      return { ...changed, status: "requires_action", nextAction: result };
    case "redirect":
      return { ...changed, status: "requires_action", nextAction: result };
    case "await":
      return { ...changed, status: "processing", nextAction: result };
    case "declined":
      return { ...changed, status: "failed", nextAction: { type: "none" } };
    case "due": // as it began
    case "no_answer":
      return payment;
  }
}

const isAsAsked = (asked: Payment, { amountMinor, currency }: Captured): boolean =>
  amountMinor === asked.amountMinor && currency === asked.currency;

/** Its charge is over, and nobody is asked for anything; one that was given up stays so. */
const withMismatch = (payment: Payment, { amountMinor, currency }: Captured): Payment => ({
  ...payment,
  status: payment.status === "cancelled" ? "cancelled" : "processing",
  nextAction: { type: "none" },
  mismatch: { reference: payment.reference, amountMinor, currency },
});

/** The payment after its last try: no value was right (completions.md 6). */
export const outOfTries = (payment: Payment, now: number): Payment => ({
  ...payment,
  status: "failed",
  nextAction: { type: "none" },
  version: payment.version + 1,
  updatedAt: now,
});
