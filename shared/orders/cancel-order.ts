import { redemptionRepo } from "../deals/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { releaseStock } from "../inventory/index.ts";
import { ruleViolation } from "../kernel/index.ts";
import { isSettled, type Payment, providerUnavailable, withRefunds } from "../payments/index.ts";
import { planSubscriptionsOnCancellation } from "../subscriptions/index.ts";
import { planBookingChanges } from "./bookings/plan-booking-changes.ts";
import { commitOrder, isRepeat, type OrderChange, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { assertCustomerMayCancel, findCancellationRefusal } from "./customer-cancellation.ts";
import { orderEvent, paymentEvent, refundEvent } from "./events.ts";
import { assertCancellable, type Initiator, withOrderCancelled } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { paymentSettledBy, recordCharge } from "./record-payment.ts";
import { settleRefund } from "./settle-refund.ts";
import { isShippedWhole, soldUnits } from "./shipments/fulfilment.ts";
import { planCancellationRefund } from "./shipments/plan-cancellation-refund.ts";
import { voidPayment } from "./verify-payment.ts";

type CancelOrderInput = Readonly<{
  reason: string | null;
  initiator: Initiator;
  /**
   * The key that identifies a repeated request (`toRequestKey`); null without an Idempotency-Key.
   */
  requestKey: string | null;
}>;

/**
 * The changed order. `isReplay` is true when an earlier call with the same Idempotency-Key changed
 * it.
 */
export type ChangeOrderResult = Readonly<{ details: OrderDetails; isReplay: boolean }>;

/**
 * Cancels an order: releases stock, booked slots and deal redemptions, and refunds what was paid.
 * Units that were shipped stay sold, unless they failed to arrive or came back. The provider is
 * asked about an open payment first, because money may have just arrived.
 *
 * The refund is sent after the commit, so that nothing is refunded for an order that stays active.
 * This takes one round trip more than the budget of 2. After a crash, the refund job sends it.
 *
 * @throws Refusal ORDER_NOT_CANCELLABLE for a final order or one that `isShippedWhole`, and to customers
 *   as `assertCustomerMayCancel`; SERVICE_UNAVAILABLE when the provider does not report the state of an
 *   open payment; CONFLICT when the Idempotency-Key was used for another request.
 */
export async function cancelOrder(
  ctx: OrderContext,
  details: OrderDetails,
  input: CancelOrderInput,
): Promise<ChangeOrderResult> {
  const { after, refundId, isReplay } = await retryOrderChange(ctx, details, async (latest) => {
    if (isRepeat(ctx, latest, input.requestKey)) {
      return { after: latest, refundId: undefined, isReplay: true };
    }
    assertCancellable(latest.order);
    assertNotShippedWhole(latest, input.initiator);
    if (input.initiator === "customer") assertCustomerMayCancel(ctx, latest);
    const { before, after } = await cancelAfterVerifying(ctx, latest, input);
    return { after, refundId: newRefundId(before, after), isReplay: false };
  });
  if (refundId === undefined) return { details: after, isReplay };
  return {
    details: await settleRefund(ctx, after, { refundId, onRefusal: "try-again" }),
    isReplay,
  };
}

/**
 * The id of the refund that this change added. Refunds that were pending before are not returned,
 * because the runs that added them also send them.
 */
function newRefundId(before: OrderDetails, after: OrderDetails): string | undefined {
  const earlier = new Set(before.refunds.map(({ id }) => id));
  return after.refunds.find(({ id, status }) => status === "pending" && !earlier.has(id))?.id;
}

/**
 * Asks the provider for the state of the payment and cancels the order. Money that the provider
 * reports as captured is recorded and refunded in the same batch, unless it came too late for the
 * customer to cancel. Then it is only recorded.
 */
async function cancelAfterVerifying(
  ctx: OrderContext,
  details: OrderDetails,
  input: CancelOrderInput,
): Promise<Readonly<{ before: OrderDetails; after: OrderDetails }>> {
  const report = requireProviderResponse(details, await voidPayment(ctx, details));
  const payment = report && paymentSettledBy(details, report, ctx.now());
  if (payment && report) {
    const refusal =
      input.initiator === "customer" ? findCancellationRefusal(ctx, { ...details, payment }) : null;
    if (refusal) {
      await recordCharge(ctx, details, report);
      throw refusal;
    }
    const events = [paymentEvent("payment.completed", payment)];
    return {
      before: details,
      after: await commitCancellation(ctx, { ...details, payment }, input, events),
    };
  }
  const before = report ? await recordCharge(ctx, details, report) : details;
  return { before, after: await commitCancellation(ctx, before, input) };
}

/** @throws Refusal SERVICE_UNAVAILABLE when the provider did not respond. */
export function requireProviderResponse<T>(
  { order }: Pick<OrderDetails, "order">,
  report: T | "no_answer",
): T {
  if (report === "no_answer") throw providerUnavailable(order.id);
  return report;
}

/**
 * Cancels the order and stores the refund of captured money, in one batch.
 *
 * @param events payment events to emit with the cancellation.
 */
export async function commitCancellation(
  ctx: OrderContext,
  details: OrderDetails,
  input: CancelOrderInput,
  events: readonly DomainEvent[] = [],
): Promise<OrderDetails> {
  const { after, change } = planCancellation(ctx, details, input, events);
  await commitOrder(ctx, change);
  return after;
}

/** @throws Refusal ORDER_NOT_CANCELLABLE as `isShippedWhole` says. */
function assertNotShippedWhole(details: OrderDetails, initiator: Initiator): void {
  if (!isShippedWhole(details, initiator)) return;
  throw ruleViolation(
    "ORDER_NOT_CANCELLABLE",
    "Everything of the order has been shipped. The business can cancel it when it comes back.",
    { status: details.order.status },
  );
}

/** Returns the cancelled order, and the change that stores it. */
export function planCancellation(
  ctx: OrderContext,
  details: OrderDetails,
  { reason, initiator, requestKey }: CancelOrderInput,
  events: readonly DomainEvent[] = [],
): Readonly<{ after: OrderDetails; change: OrderChange }> {
  const at = ctx.now();
  const isPartlySold = soldUnits(details).size > 0;
  const plannedRefund = planCancellationRefund(ctx, details, reason === null ? {} : { reason });
  const refunds = plannedRefund ? [...details.refunds, plannedRefund.refund] : details.refunds;
  const payment = isSettled(details.payment)
    ? withRefunds(details.payment, refunds, at)
    : isPartlySold && details.payment.status === "pending"
      ? details.payment // the customer still pays the business for what was shipped
      : withPaymentCancelled(details.payment, at);
  const order = {
    ...withOrderCancelled(details.order, reason, { at, by: initiator }),
    paymentStatus: payment.status,
  };
  const isRefunded = plannedRefund?.refund.status === "refunded";
  const bookingChanges = planBookingChanges(ctx, details, order);
  const change: OrderChange = {
    order,
    payment,
    requestKey,
    writes: [
      ...releaseStock(ctx, order.id),
      ...(isPartlySold ? [] : redemptionRepo(ctx).release(order.id)),
      ...planSubscriptionsOnCancellation(ctx, order.lines),
      ...bookingChanges.writes,
      ...(plannedRefund ? [plannedRefund.write] : []),
    ],
    events: [
      ...events,
      orderEvent("order.cancelled", order),
      ...(isRefunded ? [refundEvent(payment, plannedRefund.refund)] : []),
      ...bookingChanges.events,
    ],
    audit: initiator === "business" ? [cancellationAuditEntry(details, order.id, reason)] : [],
  };
  return {
    after: { ...details, order, payment, refunds, bookings: bookingChanges.bookings },
    change,
  };
}

export const withPaymentCancelled = (payment: Payment, at: number): Payment => ({
  ...payment,
  status: "cancelled",
  nextAction: { type: "none" },
  updatedAt: at,
  version: payment.version + 1,
});

const cancellationAuditEntry = (
  { order }: OrderDetails,
  entity: string,
  reason: string | null,
) => ({
  action: "order.cancelled",
  entity,
  before: { status: order.status, paymentStatus: order.paymentStatus },
  after: { status: "cancelled", reason },
});
