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

/** The bookings after the change, and the writes and events to commit with the order. */
type PlannedBookingChanges = Readonly<{
  bookings: readonly Booking[];
  writes: readonly Write[];
  events: readonly DomainEvent[];
}>;

/**
 * Confirms or cancels the order's bookings when the order's status changes. Completed and cancelled
 * bookings stay unchanged.
 */
export function planBookingChanges(
  ctx: OrderContext,
  { order: before, bookings }: Pick<OrderDetails, "order" | "bookings">,
  after: Order,
): PlannedBookingChanges {
  const hasMoved = before.status !== after.status;
  if (!hasMoved || !bookings.some(isActiveBooking)) return { bookings, writes: [], events: [] };
  return after.status === "cancelled"
    ? planBookingCancellations(ctx, { order: after, bookings }, after.cancellationReason)
    : planBookingConfirmations(ctx, after, bookings);
}

/** Cancels every active booking of an order and frees its time slots. */
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
    writes: [bookingRepo(ctx).confirmAll(order.id, at)],
    events: [],
  };
}
