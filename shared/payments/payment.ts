import type { AuthorizationType, ChargeResult } from "./provider.ts";

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
/** pending: cash not yet handed over; processing: the provider's word is awaited (completions.md 6). */
export type PaymentStatus = (typeof paymentStatuses)[number];

/** What the shopper has to do before the payment can settle (completions.md 6). */
export type NextAction =
  | Readonly<{ type: "none" }>
  | Readonly<{ type: "authorization"; authorizationType: AuthorizationType; displayText: string }>
  | Readonly<{ type: "redirect"; authorizationUrl: string }>
  | Readonly<{ type: "await"; displayText: string }>;

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
  /** Wrong authorization values so far. */
  failedAttempts: number;
  settledAt: number | null;
  createdAt: number;
  updatedAt: number;
  version: number;
}>;

export const maxFailedAttempts = 3;

/** Whether the payment can still be charged, authorized or verified. */
export const isOpen = ({ status }: Pick<Payment, "status">): boolean =>
  status === "requires_action" || status === "processing" || status === "failed";

/**
 * The payment after the provider's word. What the provider says it captured must be what was asked:
 * another amount or currency settles nothing (completions.md 6).
 */
export function afterCharge(payment: Payment, result: ChargeResult, now: number): Payment {
  const changed = { ...payment, version: payment.version + 1, updatedAt: now };
  switch (result.type) {
    case "captured":
      if (result.amountMinor !== payment.amountMinor || result.currency !== payment.currency)
        return payment;
      return { ...changed, status: "captured", nextAction: { type: "none" }, settledAt: now };
    case "authorization":
      return { ...changed, status: "requires_action", nextAction: result };
    case "redirect":
      return { ...changed, status: "requires_action", nextAction: result };
    case "await":
      return { ...changed, status: "processing", nextAction: result };
    case "declined":
      return { ...changed, status: "failed", nextAction: { type: "none" } };
    case "no_answer":
      return payment;
  }
}

/** A wrong authorization value: the third fails the payment (completions.md 6). */
export function afterWrongValue(payment: Payment, now: number): Payment {
  const failedAttempts = payment.failedAttempts + 1;
  const isOver = failedAttempts >= maxFailedAttempts;
  return {
    ...payment,
    failedAttempts,
    version: payment.version + 1,
    updatedAt: now,
    ...(isOver && { status: "failed", nextAction: { type: "none" } }),
  };
}
