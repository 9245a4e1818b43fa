import { ruleViolation } from "../kernel/index.ts";
import { isSettled, type Payment, type Receipt } from "../payments/index.ts";
import { planBookingChanges } from "./bookings/plan-booking-changes.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent, paymentEvent } from "./events.ts";
import { withPayment } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { planSubscriptionChanges } from "./plan-subscription-changes.ts";

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
    const { autoConfirm } = ctx.business.settings;
    const payment: Payment = {
      ...latest.payment,
      status: "captured",
      settledAt: at,
      receipt,
      updatedAt: at,
      version: latest.payment.version + 1,
    };
    const order = withPayment(latest.order, payment, { at, by: "system", autoConfirm });
    const { bookings, writes, events } = planBookingChanges(ctx, latest, order);
    const subscriptionChanges = await planSubscriptionChanges(ctx, latest, { order, payment });
    await commitOrder(ctx, {
      order,
      payment,
      writes: [...writes, ...subscriptionChanges.writes],
      events: [
        paymentEvent("payment.completed", payment),
        ...(order.status === latest.order.status ? [] : [orderEvent("order.updated", order)]),
        ...events,
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
    return { ...latest, order, payment, bookings };
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
