import { stockRepo } from "../inventory/index.ts";
import { bookingsFollowing } from "./bookings/follow-order.ts";
import { type Answered, cancelOrder } from "./cancel-order.ts";
import { commitOrder, isRepeat, onLatest } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { demandMove, movedOn, type OrderStatus } from "./order.ts";
import type { PaidOrder } from "./record-repo.ts";

/**
 * Moves an order as the business says. Completed, its pieces leave the stock; cancelled is the
 * same as cancelling it.
 *
 * @throws Refusal INVALID_STATE for a move that the order's status does not allow.
 */
export async function changeStatus(
  ctx: OrderContext,
  paid: PaidOrder,
  { status, requestKey }: { status: OrderStatus; requestKey: string | null },
): Promise<Answered> {
  if (status === "cancelled") {
    if (!isRepeat(ctx, paid, requestKey)) demandMove(paid.order, status);
    return cancelOrder(ctx, paid, { reason: null, by: "business", requestKey });
  }
  return onLatest(ctx, paid, async (latest) => {
    if (isRepeat(ctx, latest, requestKey)) return { paid: latest, isReplay: true };
    const order = movedOn(latest.order, status, { at: ctx.now(), by: "business" });
    const isCompleted = status === "completed";
    const { bookings, writes, events } = bookingsFollowing(ctx, latest, order);
    await commitOrder(ctx, {
      order,
      requestKey,
      writes: [...(isCompleted ? stockRepo(ctx).fulfil(order.id) : []), ...writes],
      events: [orderEvent(isCompleted ? "order.completed" : "order.updated", order), ...events],
      audit: [
        {
          action: "order.status_changed",
          entity: order.id,
          before: { status: latest.order.status },
          after: { status },
        },
      ],
    });
    return { paid: { ...latest, order, bookings }, isReplay: false };
  });
}
