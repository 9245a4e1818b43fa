import { redemptionRepo } from "../deals/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { stockRepo } from "../inventory/index.ts";
import { unavailable } from "../kernel/index.ts";
import { afterRefund, isSettled, type Payment } from "../payments/index.ts";
import { endedSubscriptions } from "../subscriptions/index.ts";
import { bookingsFollowing } from "./bookings/follow-order.ts";
import { refundOfTheRest } from "./claim-refund.ts";
import { commitOrder, isRepeat, type OrderChange, onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent, paymentEvent, refundEvent } from "./events.ts";
import { cancelled, demandCancellable, type Party } from "./order.ts";
import { recordCharge, settledBy } from "./record-payment.ts";
import type { PaidOrder } from "./record-repo.ts";
import { settleRefund } from "./settle-refund.ts";
import { heardOfPayment } from "./verify-payment.ts";

export type Cancellation = Readonly<{
  reason: string | null;
  by: Party;
  /** By what a repeat is known (`requestKey`); null without an Idempotency-Key. */
  requestKey: string | null;
}>;

/** The order as it stands now; a replay: an earlier run of the same request changed it. */
export type Answered = Readonly<{ paid: PaidOrder; isReplay: boolean }>;

/**
 * Cancels an order: its stock, its bookings' places and the uses of its deals go back, and so does its money. Where the
 * payment is still open the provider is asked first, so that none is lost.
 *
 * Whoever wrote the refund sends it, and nobody else: a replay answers with what stands, and a refund
 * whose sender died is the job's. A round trip more than the budget allows ("anything else", 2) for
 * money that goes back: the provider stands between the last two, and the order has to be ended, for
 * good, before it is asked to give money back.
 *
 * @throws Refusal ORDER_NOT_CANCELLABLE for a final order, SERVICE_UNAVAILABLE when the provider does
 * not say how an open payment stands, CONFLICT for another request under a key that was used.
 */
export async function cancelOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  cancellation: Cancellation,
): Promise<Answered> {
  const { after, refundId, isReplay } = await onLatest(ctx, paid, async (latest) => {
    if (isRepeat(ctx, latest, cancellation.requestKey)) {
      return { after: latest, refundId: undefined, isReplay: true };
    }
    demandCancellable(latest.order);
    const { before, after } = await endPaidOrder(ctx, latest, cancellation);
    return { after, refundId: claimedIn(before, after), isReplay: false };
  });
  if (refundId === undefined) return { paid: after, isReplay };
  return { paid: await settleRefund(ctx, after, { refundId, onRefusal: "try-again" }), isReplay };
}

/** The refund that the change wrote: one that stood before is somebody else's to send. */
function claimedIn(before: PaidOrder, after: PaidOrder): string | undefined {
  const earlier = new Set(before.refunds.map(({ id }) => id));
  return after.refunds.find(({ id, status }) => status === "pending" && !earlier.has(id))?.id;
}

/** The end of an order whose open payment may have been paid: then that is stored with it, and goes back. */
async function endPaidOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  cancellation: Cancellation,
): Promise<Readonly<{ before: PaidOrder; after: PaidOrder }>> {
  const heard = demandAnswer(await heardOfPayment(ctx, paid));
  const payment = heard && settledBy(paid, heard, ctx.now());
  if (payment) {
    const events = [paymentEvent("payment.completed", payment)];
    return { before: paid, after: await endOrder(ctx, { ...paid, payment }, cancellation, events) };
  }
  const before = heard ? await recordCharge(ctx, paid, heard) : paid;
  return { before, after: await endOrder(ctx, before, cancellation) };
}

/** @throws Refusal SERVICE_UNAVAILABLE for a provider that does not say. */
export function demandAnswer<T>(heard: T | "no_answer"): T {
  if (heard === "no_answer") throw unavailable("The payment provider did not answer; try again.");
  return heard;
}

/**
 * The end of an order in one batch: with it money that was taken is claimed back.
 *
 * @param events of how its payment got to where it stands, in so far as nobody was told yet.
 */
export async function endOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  cancellation: Cancellation,
  events: readonly DomainEvent[] = [],
): Promise<PaidOrder> {
  const { after, change } = endOf(ctx, paid, cancellation, events);
  await commitOrder(ctx, change);
  return after;
}

/** What `endOrder` writes, to be committed, and the order as it is then. */
export function endOf(
  ctx: OrderContext,
  paid: PaidOrder,
  { reason, by, requestKey }: Cancellation,
  events: readonly DomainEvent[] = [],
): Readonly<{ after: PaidOrder; change: OrderChange }> {
  const at = ctx.now();
  const claim = refundOfTheRest(ctx, paid, reason ?? "The order was cancelled.");
  const refunds = claim ? [...paid.refunds, claim.refund] : paid.refunds;
  const payment = isSettled(paid.payment)
    ? afterRefund(paid.payment, refunds, at)
    : endedPayment(paid.payment, at);
  const order = {
    ...cancelled(paid.order, reason, { at, by }),
    paymentStatus: payment.status,
  };
  const isBack = claim?.refund.status === "refunded";
  const followed = bookingsFollowing(ctx, paid, order);
  const change: OrderChange = {
    order,
    payment,
    requestKey,
    writes: [
      ...stockRepo(ctx).release(order.id),
      ...redemptionRepo(ctx).release(order.id),
      ...endedSubscriptions(ctx, order.lines),
      ...followed.writes,
      ...(claim ? [claim.write] : []),
    ],
    events: [
      ...events,
      orderEvent("order.cancelled", order),
      ...(isBack ? [refundEvent(payment, claim.refund)] : []),
      ...followed.events,
    ],
    audit: by === "business" ? [audited(paid, order.id, reason)] : [],
  };
  return {
    after: { ...paid, order, payment, refunds, bookings: followed.bookings },
    change,
  };
}

const endedPayment = (payment: Payment, at: number): Payment => ({
  ...payment,
  status: "cancelled",
  nextAction: { type: "none" },
  updatedAt: at,
  version: payment.version + 1,
});

const audited = ({ order }: PaidOrder, entity: string, reason: string | null) => ({
  action: "order.cancelled",
  entity,
  before: { status: order.status, paymentStatus: order.paymentStatus },
  after: { status: "cancelled", reason },
});
