import { ruleViolation } from "../kernel/index.ts";
import { isSettled, type Payment, type Receipt, withRefunds } from "../payments/index.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { paymentEvent, refundEvent } from "./events.ts";
import { withPayment } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { planStatusChange } from "./plan-status-change.ts";
import { planSubscriptionChanges } from "./plan-subscription-changes.ts";
import { isDelivered } from "./shipments/fulfilment.ts";
import { planCancellationRefund } from "./shipments/plan-cancellation-refund.ts";

/**
 * Records that the business itself received the payment of an order, for example in cash. A repeat
 * with the same receipt changes nothing.
 *
 * @throws Refusal INVALID_STATE when a provider takes the payment, when it has another receipt, or
 *   when the order is cancelled.
 */
export const markOrderPaid = (
  ctx: OrderContext,
  details: OrderDetails,
  receipt: Receipt,
): Promise<OrderDetails> =>
  retryOrderChange(ctx, details, async (latest) => {
    if (isSameReceipt(latest.payment, receipt)) return latest;
    assertAwaitingHandover(latest);
    const at = ctx.now();
    const payment: Payment = {
      ...latest.payment,
      status: "captured",
      settledAt: at,
      receipt,
      updatedAt: at,
      version: latest.payment.version + 1,
    };
    const order = withPayment(latest.order, payment, {
      at,
      by: "system",
      autoConfirm: ctx.business.settings.autoConfirm,
      isDelivered: isDelivered(latest),
    });
    const statusChange = planStatusChange(ctx, latest, order);
    const { bookings } = statusChange;
    const paid = { ...latest, order, payment, bookings };
    // Of a partly shipped order that was cancelled, the business has taken the shipped part only.
    const plannedRefund =
      order.status === "cancelled"
        ? planCancellationRefund(ctx, paid, { isHandedBack: true })
        : null;
    const refunds = plannedRefund ? [...latest.refunds, plannedRefund.refund] : latest.refunds;
    const settled = plannedRefund ? withRefunds(payment, refunds, at) : payment;
    const subscriptionChanges = await planSubscriptionChanges(ctx, latest, { order, payment });
    await commitOrder(ctx, {
      order: { ...order, paymentStatus: settled.status },
      payment: settled,
      writes: [
        ...(plannedRefund ? [plannedRefund.write] : []),
        ...statusChange.writes,
        ...subscriptionChanges.writes,
      ],
      events: [
        paymentEvent("payment.completed", payment),
        ...(plannedRefund ? [refundEvent(settled, plannedRefund.refund)] : []),
        ...statusChange.events,
        ...subscriptionChanges.events,
      ],
      refusals: subscriptionChanges.refusals,
      audit: [
        {
          action: "order.marked_paid",
          entity: order.id,
          before: { paymentStatus: latest.payment.status },
          after: { paymentStatus: payment.status, ...receipt },
        },
      ],
    });
    return {
      ...paid,
      order: { ...order, paymentStatus: settled.status },
      payment: settled,
      refunds,
    };
  });

const isSameReceipt = (payment: Payment, { method, reference }: Receipt): boolean =>
  isSettled(payment) &&
  payment.receipt?.method === method &&
  payment.receipt.reference === reference;

function assertAwaitingHandover({ payment }: OrderDetails): void {
  if (payment.status === "pending") return;
  throw ruleViolation(
    "INVALID_STATE",
    "Only cash that is still to be paid can be marked as paid.",
    {
      payment_method: payment.method,
      payment_status: payment.status,
    },
  );
}
