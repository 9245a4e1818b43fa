import type { Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  type Booking,
  bookingEvent,
  bookingRepo,
  cancelledBooking,
  demandNotice,
  movedBooking,
} from "../../scheduling/index.ts";
import { commitOrder, isRepeat, type OrderChange, onLatest } from "../commit-order.ts";
import type { OrderContext } from "../context.ts";
import { changedAt } from "../order.ts";
import type { PaidOrder } from "../record-repo.ts";
import type { BookedOrder } from "./booked-order-repo.ts";

/** For whom a booking is cancelled or moved: shoppers keep to the service's notice, the business need not. */
export type BookingParty = "customer" | "business";

/** The booking as it stands now; a replay: an earlier run of the same request changed it. */
export type ChangedBooking = Readonly<{ booking: Booking; isReplay: boolean }>;

export type BookingChange = Pick<OrderChange, "events" | "audit" | "refusals"> &
  Readonly<{
    booking: Booking;
    writes: readonly Write[];
    /** What the batch alone decided, by its results. */
    settled?: (booking: Booking, results: readonly unknown[]) => Booking;
  }>;

/**
 * Changes a booking as a version of its order, so that of two changes of the order or of any of its
 * bookings one comes first, and the other is made of what that one left.
 *
 * @param requestKey by what a repeat is known; null without an Idempotency-Key.
 */
export const changeBooking = (
  ctx: OrderContext,
  { paid, booking: { id } }: Pick<BookedOrder, "paid" | "booking">,
  requestKey: string | null,
  change: (before: Booking, at: number) => BookingChange,
): Promise<ChangedBooking> =>
  onLatest(ctx, paid, async (latest) => {
    const before = bookingIn(latest, id);
    if (isRepeat(ctx, latest, requestKey)) return { booking: before, isReplay: true };
    const at = ctx.now();
    const { booking, settled = (one) => one, ...changed } = change(before, at);
    const order = changedAt(latest.order, at);
    const results = await commitOrder(ctx, { order, requestKey, ...changed });
    return { booking: settled(booking, results), isReplay: false };
  });

/**
 * Cancels a booking; its place is free at once (interface.md, POST /scheduling/bookings/{id}/cancel).
 * Its order stays, and so does the money: what is given back of it is the business's to say.
 *
 * @throws Refusal INVALID_STATE for one that is over; to a shopper CANCELLATION_WINDOW_CLOSED inside the
 * notice period.
 */
export const cancelBooking = (
  ctx: OrderContext,
  found: BookedOrder,
  {
    reason,
    by,
    requestKey,
  }: { reason: string | null; by: BookingParty; requestKey: string | null },
): Promise<ChangedBooking> =>
  changeBooking(ctx, found, requestKey, (before, at) => {
    const booking = cancelledBooking(before, { reason, at });
    if (by === "customer") demandNotice(before, { service: found.booked.service, now: at });
    const bookings = bookingRepo(ctx);
    return {
      booking,
      writes: [bookings.update(booking), bookings.free(booking.id)],
      events: [bookingEvent("booking.cancelled", booking)],
      audit: by === "business" ? [cancellationAudit(before, reason)] : [],
    };
  });

/** Under the order, with which a person's words are erased. */
const cancellationAudit = ({ id, orderId, status }: Booking, reason: string | null) => ({
  action: "booking.cancelled",
  entity: orderId,
  before: { booking: id, status },
  after: { booking: id, status: "cancelled", reason },
});

/**
 * Says how a booking went (business-surface.md, Services and bookings).
 *
 * @throws Refusal INVALID_STATE for any but a confirmed one.
 */
export const closeBooking = (
  ctx: OrderContext,
  found: BookedOrder,
  { status, requestKey }: { status: "completed" | "no_show"; requestKey: string | null },
): Promise<ChangedBooking> =>
  changeBooking(ctx, found, requestKey, (before, at) => {
    const booking = movedBooking(before, status, at);
    return {
      booking,
      writes: [bookingRepo(ctx).update(booking)],
      events: [],
      audit: [
        {
          action: "booking.status_changed",
          entity: booking.id,
          before: { status: before.status },
          after: { status },
        },
      ],
    };
  });

function bookingIn({ bookings }: PaidOrder, id: string): Booking {
  const found = bookings.find((booking) => booking.id === id);
  if (!found) throw notFound("booking");
  return found;
}
