import type { Write } from "../../database/index.ts";
import { notFound } from "../../kernel/index.ts";
import { withRefunds } from "../../payments/index.ts";
import {
  assertCancellationNotice,
  type Booking,
  bookingEvent,
  bookingRepo,
  hasCancellationNotice,
  withBookingCancelled,
  withBookingStatus,
} from "../../scheduling/index.ts";
import { commitOrder, isRepeat, type OrderChange, retryOrderChange } from "../commit-order.ts";
import type { OrderContext } from "../context.ts";
import { refundEvent } from "../events.ts";
import { nextVersion } from "../order.ts";
import type { OrderDetails } from "../order-details-query.ts";
import type { PlannedRefund } from "../plan-refund.ts";
import { settleRefund } from "../settle-refund.ts";
import type { BookedOrder } from "./booked-order-repo.ts";
import { planBookingRefund } from "./plan-booking-refund.ts";

/**
 * Who cancels or reschedules a booking. Only customers must respect the service's notice period.
 */
export type BookingInitiator = "customer" | "business";

/**
 * The changed booking. `isReplay` is true when an earlier call with the same Idempotency-Key
 * changed it.
 */
export type ChangeBookingResult = Readonly<{ booking: Booking; isReplay: boolean }>;

type ChangedBooking = ChangeBookingResult &
  Readonly<{
    details: OrderDetails;
    /** The refund that the change added and that the provider has to be asked for. */
    refundId?: string | undefined;
  }>;

type BookingChange = Pick<OrderChange, "events" | "audit" | "refusals"> &
  Readonly<{
    booking: Booking;
    writes: readonly Write[];
    refund?: PlannedRefund | null;
    /**
     * Adds to the booking what only the batch's results show, such as the assigned staff member.
     */
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
  planChange: (before: Booking, at: number, latest: OrderDetails) => BookingChange,
): Promise<ChangedBooking> =>
  retryOrderChange(ctx, details, async (latest) => {
    const before = requireBooking(latest, id);
    if (isRepeat(ctx, latest, requestKey)) {
      return { booking: before, details: latest, isReplay: true };
    }
    const at = ctx.now();
    const { booking, withBatchResults = identity, ...change } = planChange(before, at, latest);
    const { after, orderChange } = withBookingChange(latest, change, at);
    const results = await commitOrder(ctx, { ...orderChange, requestKey });
    const refundId = change.refund?.refund.id;
    return {
      booking: withBatchResults(booking, results),
      details: after,
      refundId,
      isReplay: false,
    };
  });

/** The order's next version, with the refund that the change brings. */
function withBookingChange(
  latest: OrderDetails,
  { refund: planned = null, ...change }: Omit<BookingChange, "booking" | "withBatchResults">,
  at: number,
): Readonly<{ after: OrderDetails; orderChange: OrderChange }> {
  const order = nextVersion(latest.order, at);
  if (!planned) return { after: { ...latest, order }, orderChange: { ...change, order } };
  const refunds = [...latest.refunds, planned.refund];
  const payment = withRefunds(latest.payment, refunds, at);
  const refundedOrder = { ...order, paymentStatus: payment.status };
  const isRefunded = planned.refund.status === "refunded";
  return {
    after: { ...latest, order: refundedOrder, payment, refunds },
    orderChange: {
      ...change,
      order: refundedOrder,
      payment,
      writes: [...change.writes, planned.write],
      events: [...change.events, ...(isRefunded ? [refundEvent(payment, planned.refund)] : [])],
    },
  };
}

const identity = (booking: Booking): Booking => booking;

/**
 * Cancels a booking and frees its time slot. When the cancellation notice is kept, what was paid for
 * it is refunded as the business's settings say. The refund is stored with the cancellation, before
 * the provider is called.
 *
 * @throws Refusal INVALID_STATE for a booking that is completed or cancelled,
 *   CANCELLATION_WINDOW_CLOSED to a customer inside the notice period.
 */
export async function cancelBooking(
  ctx: OrderContext,
  booked: BookedOrder,
  {
    reason,
    initiator,
    requestKey,
  }: { reason: string | null; initiator: BookingInitiator; requestKey: string | null },
): Promise<ChangeBookingResult> {
  const changed = await changeBooking(ctx, booked, requestKey, (before, at, latest) => {
    const booking = withBookingCancelled(before, { reason, at });
    if (initiator === "customer") assertCancellationNotice(before, at);
    const bookings = bookingRepo(ctx);
    const after = latest.bookings.map((other) => (other.id === booking.id ? booking : other));
    const cancellation = { cancelled: [booking], reason };
    return {
      booking,
      writes: [bookings.update(booking), bookings.releaseSlot(booking.id)],
      events: [bookingEvent("booking.cancelled", booking)],
      audit: initiator === "business" ? [cancellationAuditEntry(before, reason)] : [],
      refund: hasCancellationNotice(before, at)
        ? planBookingRefund(ctx, { ...latest, bookings: after }, cancellation)
        : null,
    };
  });
  const { details, refundId } = changed;
  if (refundId !== undefined)
    await settleRefund(ctx, details, { refundId, onRefusal: "try-again" });
  return changed;
}

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
