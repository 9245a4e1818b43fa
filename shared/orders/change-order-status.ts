import { type ChangeOrderResult, cancelOrder } from "./cancel-order.ts";
import { commitOrder, isRepeat, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { assertTransition, type OrderStatus, withStatus } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { planStatusChange } from "./plan-status-change.ts";

/**
 * Changes an order's status for the business. Completing an order takes out of stock what
 * was not shipped. The
 * status "cancelled" calls `cancelOrder`, which also refunds.
 *
 * @throws Refusal INVALID_STATE for a transition that the order's status does not allow.
 */
export async function changeOrderStatus(
  ctx: OrderContext,
  details: OrderDetails,
  { status, requestKey }: { status: OrderStatus; requestKey: string | null },
): Promise<ChangeOrderResult> {
  if (status === "cancelled") {
    if (!isRepeat(ctx, details, requestKey)) assertTransition(details.order, status);
    return cancelOrder(ctx, details, { reason: null, initiator: "business", requestKey });
  }
  return retryOrderChange(ctx, details, async (latest) => {
    if (isRepeat(ctx, latest, requestKey)) return { details: latest, isReplay: true };
    const order = withStatus(latest.order, status, { at: ctx.now(), by: "business" });
    const { bookings, writes, events } = planStatusChange(ctx, latest, order);
    await commitOrder(ctx, {
      order,
      requestKey,
      writes,
      events,
      audit: [
        {
          action: "order.status_changed",
          entity: order.id,
          before: { status: latest.order.status },
          after: { status },
        },
      ],
    });
    return { details: { ...latest, order, bookings }, isReplay: false };
  });
}
