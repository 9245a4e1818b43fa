import type { Payment, PaymentStatus } from "../payment.ts";

/**
 * So often, over about a day, a refund that nobody waits for is asked for: a provider that says no for
 * want of funds, say, may say yes later.
 */
export const maxRefundAttempts = 10;

export const refundStatuses = ["pending", "refunded", "failed"] as const;
/** pending: the provider has yet to say that the money went back; failed: it said no. */
export type RefundStatus = (typeof refundStatuses)[number];

/** Money of a payment that goes back (business-surface.md, Orders). */
export type Refund = Readonly<{
  /** Chosen before the provider is asked, which knows the refund by it. */
  id: string;
  orderId: string;
  paymentId: string;
  /** The charge that it returns whole, where that is not the payment's own; null: a part of the payment. */
  reference: string | null;
  amountMinor: number;
  currency: string;
  status: RefundStatus;
  reason: string | null;
  /** Whether the order's pieces went back on the shelf with it. */
  isRestocked: boolean;
  /** The provider's last word, when it said no; a pending one is asked for again. */
  failureReason: string | null;
  /** A digest of the request that asked for it, by which a repeat is known; null without a key. */
  requestKey: string | null;
  createdAt: number;
  updatedAt: number;
  settledAt: number | null;
}>;

/** Whether money was taken, whatever went back of it since. */
export const isSettled = ({ status }: Pick<Payment, "status">): boolean =>
  status === "captured" || status === "partially_refunded" || status === "refunded";

/** What no refund has a claim on yet, in minor units. */
export function refundableMinor(payment: Payment, refunds: readonly Refund[]): number {
  if (!isSettled(payment)) return 0;
  return payment.amountMinor - sumOf(partsOf(refunds).filter(({ status }) => status !== "failed"));
}

/** The payment after its refunds moved: its status tells of money that went back, not of what is under way. */
export function afterRefund(payment: Payment, refunds: readonly Refund[], now: number): Payment {
  const status = refundedStatus(payment, refunds);
  return { ...payment, status, version: payment.version + 1, updatedAt: now };
}

function refundedStatus(payment: Payment, refunds: readonly Refund[]): PaymentStatus {
  const goneBack = sumOf(partsOf(refunds).filter(({ status }) => status === "refunded"));
  if (goneBack === 0) return payment.status;
  return goneBack === payment.amountMinor ? "refunded" : "partially_refunded";
}

/** Those that take something off the payment: a charge beside its own was never a part of it. */
const partsOf = (refunds: readonly Refund[]): readonly Refund[] =>
  refunds.filter(({ reference }) => reference === null);

const sumOf = (refunds: readonly Refund[]): number =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
