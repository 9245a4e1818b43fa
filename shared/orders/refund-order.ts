import type { Write } from "../database/index.ts";
import { stockRepo } from "../inventory/index.ts";
import { ruleBroken } from "../kernel/index.ts";
import {
  afterRefund,
  isSettled,
  type Refund,
  refundableMinor,
  refundRepo,
} from "../payments/index.ts";
import { bookingsEnding } from "./bookings/follow-order.ts";
import { claimRefund } from "./claim-refund.ts";
import { commitOrder, onLatest, refundTooLarge } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { refundEvent } from "./events.ts";
import { changedAt } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";
import { findRepeated, keptForMs } from "./request-key.ts";
import { settleRefund } from "./settle-refund.ts";

export type RefundRequested = Readonly<{
  /** In minor units; null for what is left. */
  amountMinor: number | null;
  reason: string | null;
  restock: boolean;
  /** By what a repeat is known (`requestKey`); null without an Idempotency-Key. */
  requestKey: string | null;
}>;

/**
 * Gives money of an order back, and its pieces to the shelf and its bookings' places to others if asked
 * to (once for an order). The
 * claim is written before the provider is asked; without its answer the refund stays pending, and
 * the job goes on with it. Repeated under its key, it is the refund that it was, and nothing is sent.
 *
 * @throws Refusal INVALID_STATE while no money was taken, REFUND_TOO_LARGE beyond what is left of it,
 * CONFLICT for another request under a key that was used.
 */
export async function refundOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  requested: RefundRequested,
): Promise<Refund> {
  const { after, refundId, isReplay } = await onLatest(ctx, paid, (latest) =>
    claimed(ctx, latest, requested),
  );
  if (isReplay) return refundOf(after, refundId);
  return refundOf(await settleRefund(ctx, after, { refundId, onRefusal: "fail" }), refundId);
}

type Claimed = Readonly<{ after: PaidOrder; refundId: string; isReplay: boolean }>;

async function claimed(
  ctx: OrderContext,
  paid: PaidOrder,
  { amountMinor, reason, restock, requestKey }: RefundRequested,
): Promise<Claimed> {
  const at = ctx.now();
  const earlier = findRepeated(paid.refunds, { requestKey, now: at });
  if (earlier) return { after: paid, refundId: earlier.id, isReplay: true };
  const isRestocked = restock && hasPiecesOut(paid);
  const { refund, write } = claimRefund(ctx, paid, {
    amountMinor: demandRefundable(paid, amountMinor),
    reason,
    isRestocked,
    requestKey,
  });
  const refunds = [...paid.refunds, refund];
  const payment = afterRefund(paid.payment, refunds, at);
  const order = { ...changedAt(paid.order, at), paymentStatus: payment.status };
  const ended = isRestocked ? bookingsEnding(ctx, paid, reason) : null;
  await commitOrder(ctx, {
    order,
    payment,
    writes: [
      ...keyFreed(ctx, order.id, requestKey),
      write,
      ...(isRestocked ? stockRepo(ctx).restock(order.id) : []),
      ...(ended?.writes ?? []),
    ],
    events: [
      ...(refund.status === "refunded" ? [refundEvent(payment, refund)] : []),
      ...(ended?.events ?? []),
    ],
    audit: [audited(refund)],
  });
  const bookings = ended?.bookings ?? paid.bookings;
  return {
    after: { ...paid, order, payment, refunds, bookings },
    refundId: refund.id,
    isReplay: false,
  };
}

const audited = ({ id, orderId, amountMinor, currency, reason, isRestocked }: Refund) => ({
  action: "order.refunded",
  entity: orderId,
  after: { refundId: id, amountMinor, currency, reason, isRestocked },
});

/** A key that is kept no longer names no refund any more: another may bear it. */
const keyFreed = (ctx: OrderContext, orderId: string, requestKey: string | null): Write[] =>
  requestKey === null
    ? []
    : [refundRepo(ctx).freeKey({ orderId, requestKey, before: ctx.now() - keptForMs })];

function demandRefundable({ payment, refunds }: PaidOrder, wanted: number | null): number {
  if (!isSettled(payment)) {
    throw ruleBroken("INVALID_STATE", "There is no money of this order to give back.", {
      payment_status: payment.status,
    });
  }
  const left = refundableMinor(payment, refunds);
  const amountMinor = wanted ?? left;
  if (amountMinor > left || left === 0) throw refundTooLarge();
  return amountMinor;
}

/** A cancelled order's pieces are back on the shelf, and so are those that an earlier refund brought. */
const hasPiecesOut = ({ order, refunds }: PaidOrder): boolean =>
  order.status !== "cancelled" && !refunds.some(({ isRestocked }) => isRestocked);

function refundOf({ refunds }: PaidOrder, id: string): Refund {
  const refund = refunds.find((one) => one.id === id);
  if (!refund) throw new Error(`Refund ${id} is missing right after it was claimed.`);
  return refund;
}
