import type { Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import {
  assertCancellationNotice,
  type Booking,
  bookingEvent,
  bookingRepo,
  withBookingCancelled,
  withBookingStatus,
} from "../../scheduling/index.ts";
import { commitOrder, isRepeat, type OrderChange, retryOrderChange } from "../commit-order.ts";
import type { OrderContext } from "../context.ts";
import { nextVersion } from "../order.ts";
import type { OrderDetails } from "../order-details-query.ts";
import type { BookedOrder } from "./booked-order-repo.ts";

/**
 * Who cancels or reschedules a booking. Only customers must respect the service's notice period.
 */
export type BookingInitiator = "customer" | "business";

/**
 * The changed booking. `isReplay` is true when an earlier call with the same Idempotency-Key
 * changed it.
 */
export type ChangeBookingResult = Readonly<{ booking: Booking; isReplay: boolean }>;

type BookingChange = Pick<OrderChange, "events" | "audit" | "refusals"> &
  Readonly<{
    booking: Booking;
    writes: readonly Write[];
    /** Completes the booking with results of the batch, such as the assigned staff member. */
    withBatchResults?: (booking: Booking, results: readonly unknown[]) => Booking;
  }>;

/**
 * Changes a booking and raises the version of its order. Of two concurrent changes to the order or
 * its bookings, the second is retried on the result of the first.
 *
 * @param requestKey the key that identifies a repeated request; null without an Idempotency-Key.
 */
export const changeBooking = (
  ctx: OrderContext,
  { details, booking: { id } }: Pick<BookedOrder, "details" | "booking">,
  requestKey: string | null,
  planChange: (before: Booking, at: number) => BookingChange,
): Promise<ChangeBookingResult> =>
  retryOrderChange(ctx, details, async (latest) => {
    const before = requireBooking(latest, id);
    if (isRepeat(ctx, latest, requestKey)) return { booking: before, isReplay: true };
    const at = ctx.now();
    const { booking, withBatchResults = identity, ...change } = planChange(before, at);
    const order = nextVersion(latest.order, at);
    const results = await commitOrder(ctx, { order, requestKey, ...change });
    return { booking: withBatchResults(booking, results), isReplay: false };
  });

const identity = (booking: Booking): Booking => booking;

/**
 * Cancels a booking and frees its time slot. The order and its payment stay as they are: the
 * business refunds separately.
 *
 * @throws Refusal INVALID_STATE for a booking that is completed or cancelled,
 *   CANCELLATION_WINDOW_CLOSED to a customer inside the notice period.
 */
export const cancelBooking = (
  ctx: OrderContext,
  booked: BookedOrder,
  {
    reason,
    initiator,
    requestKey,
  }: { reason: string | null; initiator: BookingInitiator; requestKey: string | null },
): Promise<ChangeBookingResult> =>
  changeBooking(ctx, booked, requestKey, (before, at) => {
    const booking = withBookingCancelled(before, { reason, at });
    if (initiator === "customer")
      assertCancellationNotice(before, { service: booked.bookedService.service, now: at });
    const bookings = bookingRepo(ctx);
    return {
      booking,
      writes: [bookings.update(booking), bookings.releaseSlot(booking.id)],
      events: [bookingEvent("booking.cancelled", booking)],
      audit: initiator === "business" ? [cancellationAuditEntry(before, reason)] : [],
    };
  });

/**
 * The entry is stored under the order's id. It contains the customer's reason, and an erasure finds
 * audit entries by the ids of the customer's orders.
 */
const cancellationAuditEntry = ({ id, orderId, status }: Booking, reason: string | null) => ({
  action: "booking.cancelled",
  entity: orderId,
  before: { booking: id, status },
  after: { booking: id, status: "cancelled", reason },
});

/**
 * Marks a booking as completed or as a no-show.
 *
 * @throws Refusal INVALID_STATE unless the booking is confirmed.
 */
export const closeBooking = (
  ctx: OrderContext,
  booked: BookedOrder,
  { status, requestKey }: { status: "completed" | "no_show"; requestKey: string | null },
): Promise<ChangeBookingResult> =>
  changeBooking(ctx, booked, requestKey, (before, at) => {
    const booking = withBookingStatus(before, status, at);
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

function requireBooking({ bookings }: OrderDetails, id: string): Booking {
  const booking = bookings.find((candidate) => candidate.id === id);
  if (!booking) throw notFound("booking");
  return booking;
}
