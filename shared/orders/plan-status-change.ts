import type { Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { fulfilStock } from "../inventory/index.ts";
import { planBookingChanges } from "./bookings/plan-booking-changes.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import type { Order } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";

/** What a new status brings to the batch that stores it. */
type PlannedStatusChange = Readonly<{
  bookings: OrderDetails["bookings"];
  writes: readonly Write[];
  events: readonly DomainEvent[];
}>;

/**
 * Plans what a new order status changes beyond the order: its bookings, and for `completed` the
 * stock, from which everything leaves that was not shipped before. `after` may have the same status.
 */
export function planStatusChange(
  ctx: OrderContext,
  before: Pick<OrderDetails, "order" | "bookings">,
  after: Order,
): PlannedStatusChange {
  const { bookings, writes, events } = planBookingChanges(ctx, before, after);
  if (before.order.status === after.status) return { bookings, writes, events };
  const isCompleted = after.status === "completed";
  return {
    bookings,
    writes: [...(isCompleted ? fulfilStock(ctx, [after.id]) : []), ...writes],
    events: [orderEvent(isCompleted ? "order.completed" : "order.updated", after), ...events],
  };
}
