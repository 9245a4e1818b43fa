import { hour, minute } from "../../kernel/index.ts";
import { isSettled, type Payment, type PaymentStatus } from "../payment.ts";

/**
 * How often the job tries a refund, in about a day. A provider that refuses for lack of funds may
 * accept the refund later.
 */
export const maxRefundAttempts = 10;

/** How long the job waits before it retries a refund. Doubles with every attempt. */
export const firstRefundRetryMs = 5 * minute;
export const maxRefundRetryMs = 6 * hour;

export const refundStatuses = ["pending", "refund_due", "refunded", "failed"] as const;
/**
 * `pending`: the provider has not confirmed the refund yet. `refund_due`: the business, which took
 * the payment itself, has yet to return it. `failed`: the provider refused it.
 */
export type RefundStatus = (typeof refundStatuses)[number];

export type Refund = Readonly<{
  /** The refund's id, which the provider also stores. */
  id: string;
  orderId: string;
  paymentId: string;
  /**
   * The reference of a duplicate charge, which the refund returns in full. Null for a refund of the
   * payment's own charge.
   */
  reference: string | null;
  amountMinor: number;
  /** The tax in the amount. */
  taxMinor: number;
  currency: string;
  status: RefundStatus;
  reason: string | null;
  /** Whether this refund returned the order's items to stock. */
  isRestocked: boolean;
  /** Why the provider last refused the refund; null if it has not refused. */
  failureReason: string | null;
  /** The key of the request that made the refund; null without an Idempotency-Key. */
  requestKey: string | null;
  createdAt: number;
  updatedAt: number;
  settledAt: number | null;
}>;

/** What is left to refund, in minor units. Pending and due refunds count as already refunded. */
export function refundableMinor(payment: Payment, refunds: readonly Refund[]): number {
  if (!isSettled(payment)) return 0;
  return (
    payment.amountMinor -
    totalMinor(refundsOfPayment(refunds).filter(({ status }) => status !== "failed"))
  );
}

/**
 * The payment with the status that follows from its refunds. Pending and due refunds do not count
 * yet.
 */
export function withRefunds(payment: Payment, refunds: readonly Refund[], now: number): Payment {
  const status = refundedStatus(payment, refunds);
  return { ...payment, status, version: payment.version + 1, updatedAt: now };
}

function refundedStatus(payment: Payment, refunds: readonly Refund[]): PaymentStatus {
  const refundedMinor = totalMinor(
    refundsOfPayment(refunds).filter(({ status }) => status === "refunded"),
  );
  if (refundedMinor === 0) return payment.status;
  return refundedMinor === payment.amountMinor ? "refunded" : "partially_refunded";
}

/**
 * Refunds of the payment's own charge. Refunds of duplicate charges are left out, because they do
 * not reduce the payment.
 */
const refundsOfPayment = (refunds: readonly Refund[]): readonly Refund[] =>
  refunds.filter(({ reference }) => reference === null);

const totalMinor = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
