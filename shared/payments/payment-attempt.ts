import type { Payment, PaymentStatus } from "./payment.ts";
import type { Refund } from "./refunds/refund.ts";

/** How long a run may take to charge an attempt before another run may continue it. */
export const attemptLeaseMs = 60_000;

/** The FX quote that an attempt is paid with. */
export type AttemptFx = Readonly<{ quoteId: string; rate: string }>;

/**
 * One charge of a payment. A payment has one current attempt; money may still arrive for an earlier
 * one, in its own currency and through its own provider.
 */
export type PaymentAttempt = Readonly<
  Pick<Payment, "reference" | "method" | "provider" | "amountMinor" | "currency" | "createdAt"> & {
    /** The provider's own id of the charge; null when it has none, or its response was lost. */
    providerReference: string | null;
    /** Null when it is paid in the order's currency, and for the attempts of a checkout. */
    fx: AttemptFx | null;
    /** When the provider declined the attempt; null when it did not. */
    declinedAt: number | null;
    /** Until then a run charges the attempt; null once the run has stored the outcome. */
    leaseUntil: number | null;
    /** Identifies the request that started the attempt; null for a checkout or without an Idempotency-Key. */
    requestKey: string | null;
  }
>;

/** The attempt that a payment's current values describe, as a checkout or a renewal starts it. */
export const newAttempt = (
  { reference, method, provider, amountMinor, currency, updatedAt }: Payment,
  fields: Partial<Pick<PaymentAttempt, "fx" | "leaseUntil" | "requestKey">> = {},
): PaymentAttempt => ({
  reference,
  method,
  provider,
  amountMinor,
  currency,
  createdAt: updatedAt,
  providerReference: null,
  fx: null,
  declinedAt: null,
  leaseUntil: null,
  requestKey: null,
  ...fields,
});

/**
 * As `newAttempt`, for a payment that has earlier ones: their times give them their order. One that
 * is sent again keeps its time.
 */
export function nextAttempt(
  attempts: readonly PaymentAttempt[],
  payment: Payment,
  fields: Parameters<typeof newAttempt>[1] = {},
): PaymentAttempt {
  const attempt = newAttempt(payment, fields);
  const sentBefore = findAttempt({ attempts }, attempt.reference);
  if (sentBefore) return { ...attempt, createdAt: sentBefore.createdAt };
  const latest = Math.max(0, ...attempts.map(({ createdAt }) => createdAt));
  return { ...attempt, createdAt: Math.max(attempt.createdAt, latest + 1) };
}

type PaymentWithAttempts = Readonly<{ payment: Payment; attempts: readonly PaymentAttempt[] }>;

/** The attempt of a reference; undefined for a reference that the payment never had. */
export const findAttempt = (
  { attempts }: Pick<PaymentWithAttempts, "attempts">,
  reference: string,
): PaymentAttempt | undefined => attempts.find((attempt) => attempt.reference === reference);

/** The payment with the attempt of a reference as its current one. */
export function paymentOfAttempt({ payment, attempts }: PaymentWithAttempts, reference: string) {
  const attempt = findAttempt({ attempts }, reference);
  if (!attempt || reference === payment.reference) return { ...payment, reference };
  const { method, provider, amountMinor, currency } = attempt;
  return { ...payment, reference, method, provider, amountMinor, currency };
}

/** The most replaced attempts that the provider is asked about at a time. */
const maxReplacedToVerify = 4;

/** The replaced attempts that may still be paid, newest first. */
export const replacedAttempts = ({ payment, attempts }: PaymentWithAttempts) =>
  attempts
    .filter(({ reference, declinedAt }) => reference !== payment.reference && declinedAt === null)
    .reverse()
    .slice(0, maxReplacedToVerify);

/** The status of one attempt. A replaced one is cancelled unless it was declined or paid as well. */
export function attemptStatus(
  { payment, refunds }: Readonly<{ payment: Payment; refunds: readonly Refund[] }>,
  { reference, declinedAt }: PaymentAttempt,
): PaymentStatus {
  if (reference === payment.reference) return payment.status;
  const duplicate = refunds.find((refund) => refund.reference === reference);
  if (duplicate) return duplicate.status === "refunded" ? "refunded" : "captured";
  return declinedAt === null ? "cancelled" : "failed";
}
