import { hour, minute } from "../../kernel/index.ts";
import { isSettled, type Payment, type PaymentStatus } from "../payment.ts";

/**
 * How often the job tries a refund, over about a day: a provider that refuses for lack of funds may
 * accept it later.
 */
export const maxRefundAttempts = 10;

/** How long a run of the refund job has for a refund it claimed; doubles with every attempt. */
export const firstRefundRetryMs = 5 * minute;
export const maxRefundRetryMs = 6 * hour;

export const refundStatuses = ["pending", "refunded", "failed"] as const;
/** pending: not confirmed by the provider yet; failed: refused by the provider. */
export type RefundStatus = (typeof refundStatuses)[number];

export type Refund = Readonly<{
  /** Chosen before the provider is called, which stores it. */
  id: string;
  orderId: string;
  paymentId: string;
  /**
   * The duplicate charge that it refunds in full; null for a refund of the payment's own charge.
   */
  reference: string | null;
  amountMinor: number;
  currency: string;
  status: RefundStatus;
  reason: string | null;
  /** Whether the order's items were returned to stock with it. */
  isRestocked: boolean;
  /** The provider's reason when it last refused. */
  failureReason: string | null;
  /** Identifies the request that made it; null without an Idempotency-Key. */
  requestKey: string | null;
  createdAt: number;
  updatedAt: number;
  settledAt: number | null;
}>;

/** What is left to refund, in minor units; pending refunds count as refunded. */
export function refundableMinor(payment: Payment, refunds: readonly Refund[]): number {
  if (!isSettled(payment)) return 0;
  return (
    payment.amountMinor -
    totalMinor(partialRefunds(refunds).filter(({ status }) => status !== "failed"))
  );
}

/**
 * The payment after its refunds changed. Its status counts refunds that are done, not pending ones.
 */
export function withRefunds(payment: Payment, refunds: readonly Refund[], now: number): Payment {
  const status = refundedStatus(payment, refunds);
  return { ...payment, status, version: payment.version + 1, updatedAt: now };
}

function refundedStatus(payment: Payment, refunds: readonly Refund[]): PaymentStatus {
  const refundedMinor = totalMinor(
    partialRefunds(refunds).filter(({ status }) => status === "refunded"),
  );
  if (refundedMinor === 0) return payment.status;
  return refundedMinor === payment.amountMinor ? "refunded" : "partially_refunded";
}

/** Refunds of the payment's own charge; a duplicate charge was never part of the payment. */
const partialRefunds = (refunds: readonly Refund[]): readonly Refund[] =>
  refunds.filter(({ reference }) => reference === null);

const totalMinor = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
