import { ruleBroken } from "../kernel/index.ts";
import { isSettled, type Payment, type Receipt } from "../payments/index.ts";
import { bookingsFollowing } from "./bookings/follow-order.ts";
import { commitOrder, onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent, paymentEvent } from "./events.ts";
import { subscriptionsFollowing } from "./follow-payment.ts";
import { withPayment } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

/**
 * Notes that the money of an order was handed over to the business. Said again with the same words it is the same
 * success, and nothing happens twice.
 *
 * @throws Refusal INVALID_STATE for a payment that is a provider's affair, was handed over otherwise, or
 * whose order is cancelled.
 */
export const markPaid = (
  ctx: OrderContext,
  paid: PaidOrder,
  receipt: Receipt,
): Promise<PaidOrder> =>
  onLatest(ctx, paid, async (latest) => {
    if (isSaidAgain(latest.payment, receipt)) return latest;
    demandDue(latest);
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
    const { bookings, writes, events } = bookingsFollowing(ctx, latest, order);
    const subscribed = await subscriptionsFollowing(ctx, latest, { order, payment });
    await commitOrder(ctx, {
      order,
      payment,
      writes: [...writes, ...subscribed.writes],
      events: [
        paymentEvent("payment.completed", payment),
        ...(order.status === latest.order.status ? [] : [orderEvent("order.updated", order)]),
        ...events,
        ...subscribed.events,
      ],
      refusals: subscribed.refusals,
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

const isSaidAgain = (payment: Payment, { method, reference }: Receipt): boolean =>
  isSettled(payment) &&
  payment.receipt?.method === method &&
  payment.receipt.reference === reference;

function demandDue({ payment }: PaidOrder): void {
  if (payment.status === "pending") return;
  throw ruleBroken("INVALID_STATE", "Only cash that is still to be paid can be marked as paid.", {
    payment_method: payment.method,
    payment_status: payment.status,
  });
}
