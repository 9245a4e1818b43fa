import { commit } from "../database/index.ts";
import { afterRefund, type Refund, type RefundResult, refundRepo } from "../payments/index.ts";
import { commitOrder, onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { refundEvent } from "./events.ts";
import { changedAt } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

export type Settlement = Readonly<{
  refundId: string;
  /** fail: a merchant waits for the answer; try-again: the refund stays pending, and the job goes on. */
  onRefusal: "fail" | "try-again";
}>;

/**
 * Sends a claimed refund to its provider and stores what it says. To be called by whoever has claimed
 * the refund, since no two may be sent beside each other; safe to run again: the provider knows it by
 * its id. Without an answer, or while the money is under way, it stays pending and the job asks again.
 */
export async function settleRefund(
  ctx: OrderContext,
  paid: PaidOrder,
  { refundId, onRefusal }: Settlement,
): Promise<PaidOrder> {
  const refund = pendingRefund(paid, refundId);
  const provider = ctx.providerFor(paid.payment.method);
  if (!refund || !provider) return paid;
  const result = await provider.refund({
    refundId,
    reference: refund.reference ?? paid.payment.reference,
    amountMinor: refund.amountMinor,
    currency: refund.currency,
  });
  if (result.type === "no_answer" || result.type === "pending") return paid;
  if (result.type === "declined" && onRefusal === "try-again") {
    return noteRefusal(ctx, paid, { ...refund, failureReason: result.reason });
  }
  return onLatest(ctx, paid, (latest) => recordRefund(ctx, latest, { refundId, result }));
}

async function noteRefusal(
  ctx: OrderContext,
  paid: PaidOrder,
  refused: Refund & { failureReason: string },
): Promise<PaidOrder> {
  await commit(ctx, { writes: [refundRepo(ctx).noteRefusal(refused.id, refused.failureReason)] });
  return { ...paid, refunds: paid.refunds.map((one) => (one.id === refused.id ? refused : one)) };
}

async function recordRefund(
  ctx: OrderContext,
  paid: PaidOrder,
  { refundId, result }: { refundId: string; result: RefundResult },
): Promise<PaidOrder> {
  const pending = pendingRefund(paid, refundId);
  if (!pending) return paid; // somebody else was told, and wrote it down
  const at = ctx.now();
  const refund = answered(pending, result, at);
  const refunds = paid.refunds.map((one) => (one.id === refundId ? refund : one));
  const payment = afterRefund(paid.payment, refunds, at);
  const order = { ...changedAt(paid.order, at), paymentStatus: payment.status };
  await commitOrder(ctx, {
    order,
    payment,
    writes: [refundRepo(ctx).settle(refund)],
    events:
      isOfPayment(refund) && refund.status === "refunded" ? [refundEvent(payment, refund)] : [],
  });
  return { ...paid, order, payment, refunds };
}

/** A charge that came twice was never told of, and so neither is its return. */
const isOfPayment = ({ reference }: Refund): boolean => reference === null;

const pendingRefund = ({ refunds }: PaidOrder, refundId: string): Refund | undefined =>
  refunds.find(({ id, status }) => id === refundId && status === "pending");

const answered = (refund: Refund, result: RefundResult, at: number): Refund =>
  result.type === "declined"
    ? { ...refund, status: "failed", failureReason: result.reason, updatedAt: at }
    : { ...refund, status: "refunded", failureReason: null, updatedAt: at, settledAt: at };
