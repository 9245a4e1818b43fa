import type { Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import {
  type Booking,
  bookingEvent,
  bookingRepo,
  isActiveBooking,
  withBookingCancelled,
  withBookingStatus,
} from "../../scheduling/index.ts";
import type { OrderContext } from "../context.ts";
import type { Order } from "../order.ts";
import type { OrderDetails } from "../order-details-query.ts";

/**
 * An order's bookings after a change, with the writes and events for the batch that changes the
 * order.
 */
type PlannedBookingChanges = Readonly<{
  bookings: readonly Booking[];
  writes: readonly Write[];
  events: readonly DomainEvent[];
}>;

/**
 * Plans what a new order status does to the order's bookings: they are confirmed or cancelled with
 * the order. Completed and cancelled bookings stay unchanged.
 */
export function planBookingChanges(
  ctx: OrderContext,
  { order: before, bookings }: Pick<OrderDetails, "order" | "bookings">,
  after: Order,
): PlannedBookingChanges {
  const hasNewStatus = before.status !== after.status;
  if (!hasNewStatus || !bookings.some(isActiveBooking)) return { bookings, writes: [], events: [] };
  return after.status === "cancelled"
    ? planBookingCancellations(ctx, { order: after, bookings }, after.cancellationReason)
    : planBookingConfirmations(ctx, after, bookings);
}

/** Plans the cancellation of all active bookings of an order, which frees their time slots. */
export function planBookingCancellations(
  ctx: OrderContext,
  { order, bookings }: Pick<OrderDetails, "order" | "bookings">,
  reason: string | null,
): PlannedBookingChanges {
  const at = ctx.now();
  const after = bookings.map((booking) =>
    isActiveBooking(booking) ? withBookingCancelled(booking, { reason, at }) : booking,
  );
  const cancelled = after.filter((booking, index) => booking !== bookings[index]);
  if (cancelled.length === 0) return { bookings, writes: [], events: [] };
  return {
    bookings: after,
    writes: bookingRepo(ctx).cancelAll(order.id, { reason, at }),
    events: cancelled.map((booking) => bookingEvent("booking.cancelled", booking)),
  };
}

function planBookingConfirmations(
  ctx: OrderContext,
  order: Order,
  bookings: readonly Booking[],
): PlannedBookingChanges {
  const at = ctx.now();
  return {
    bookings: bookings.map((booking) =>
      booking.status === "pending" ? withBookingStatus(booking, "confirmed", at) : booking,
    ),
    writes: [bookingRepo(ctx).confirmAll([order.id], at)],
    events: [],
  };
}
