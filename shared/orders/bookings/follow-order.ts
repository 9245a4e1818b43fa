import type { Write } from "../../database/index.ts";
import type { DomainEvent } from "../../events/index.ts";
import {
  type Booking,
  bookingEvent,
  bookingRepo,
  cancelledBooking,
  isStanding,
  movedBooking,
} from "../../scheduling/index.ts";
import type { OrderContext } from "../context.ts";
import type { Order } from "../order.ts";
import type { PaidOrder } from "../record-repo.ts";

/** The bookings as they are from now on, and what the order's batch writes and tells of them. */
export type FollowingBookings = Readonly<{
  bookings: readonly Booking[];
  writes: readonly Write[];
  events: readonly DomainEvent[];
}>;

/**
 * What becomes of an order's bookings when the order moves: confirmed with it, cancelled with it. What
 * is over, or was cancelled before, stays as it is.
 */
export function bookingsFollowing(
  ctx: OrderContext,
  { order: before, bookings }: Pick<PaidOrder, "order" | "bookings">,
  after: Order,
): FollowingBookings {
  const hasMoved = before.status !== after.status;
  if (!hasMoved || !bookings.some(isStanding)) return { bookings, writes: [], events: [] };
  return after.status === "cancelled"
    ? bookingsEnding(ctx, { order: after, bookings }, after.cancellationReason)
    : confirmedWith(ctx, after, bookings);
}

/** The end of every booking of an order that stands: its place is free for others in the same batch. */
export function bookingsEnding(
  ctx: OrderContext,
  { order, bookings }: Pick<PaidOrder, "order" | "bookings">,
  reason: string | null,
): FollowingBookings {
  const at = ctx.now();
  const after = bookings.map((one) =>
    isStanding(one) ? cancelledBooking(one, { reason, at }) : one,
  );
  const ended = after.filter((one, index) => one !== bookings[index]);
  if (ended.length === 0) return { bookings, writes: [], events: [] };
  return {
    bookings: after,
    writes: bookingRepo(ctx).cancelAll(order.id, { reason, at }),
    events: ended.map((booking) => bookingEvent("booking.cancelled", booking)),
  };
}

function confirmedWith(
  ctx: OrderContext,
  order: Order,
  bookings: readonly Booking[],
): FollowingBookings {
  const at = ctx.now();
  return {
    bookings: bookings.map((one) =>
      one.status === "pending" ? movedBooking(one, "confirmed", at) : one,
    ),
    writes: [bookingRepo(ctx).confirmAll(order.id, at)],
    events: [],
  };
}
