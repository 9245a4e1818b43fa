import type { Write } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { type Refund, refundableMinor, refundRepo } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import type { PaidOrder } from "./record-repo.ts";

/** A refund that is about to be written, to go into the batch of what causes it. */
export type RefundClaim = Readonly<{ refund: Refund; write: Write }>;

/** Whoever writes a refund has so long to settle it; then the job takes it up. */
const settledWithinMs = minute;

type NewRefund = Readonly<{
  amountMinor: number;
  reason: string | null;
  isRestocked: boolean;
  requestKey: string | null;
}>;

/** A charge that was taken beside the payment's own. */
type StrayCharge = Readonly<{ reference: string; amountMinor: number; currency: string }>;

/** Claims a part of the payment. What the business gives back by hand is settled with the claim. */
export function claimRefund(
  ctx: OrderContext,
  { payment }: PaidOrder,
  { amountMinor, reason, isRestocked, requestKey }: NewRefund,
): RefundClaim {
  const at = ctx.now();
  const isByHand = ctx.providerFor(payment.method)?.takenBy === "business";
  const refund: Refund = {
    id: ctx.newId("rfd"),
    orderId: payment.orderId,
    paymentId: payment.id,
    reference: null,
    amountMinor,
    currency: payment.currency,
    status: isByHand ? "refunded" : "pending",
    reason,
    isRestocked,
    failureReason: null,
    requestKey,
    createdAt: at,
    updatedAt: at,
    settledAt: isByHand ? at : null,
  };
  return { refund, write: refundRepo(ctx).insert(refund, isByHand ? null : at + settledWithinMs) };
}

/** Claims back a charge that came beside the one that settled the payment: all of it. */
export function refundOfStray(
  ctx: OrderContext,
  { payment }: PaidOrder,
  { reference, amountMinor, currency }: StrayCharge,
): RefundClaim {
  const at = ctx.now();
  const refund: Refund = {
    id: ctx.newId("rfd"),
    orderId: payment.orderId,
    paymentId: payment.id,
    reference,
    amountMinor,
    currency,
    status: "pending",
    reason: "The order was paid twice.",
    isRestocked: false,
    failureReason: null,
    requestKey: null,
    createdAt: at,
    updatedAt: at,
    settledAt: null,
  };
  return { refund, write: refundRepo(ctx).insert(refund, at + settledWithinMs) };
}

/** Claims what is left of the payment; null when nothing is. */
export function refundOfTheRest(
  ctx: OrderContext,
  paid: PaidOrder,
  reason: string | null,
): RefundClaim | null {
  const amountMinor = refundableMinor(paid.payment, paid.refunds);
  if (amountMinor <= 0) return null;
  return claimRefund(ctx, paid, { amountMinor, reason, isRestocked: false, requestKey: null });
}
