import {
  assertCancellationNotice,
  type Booking,
  bookingEvent,
  bookingRepo,
  requireSlotAllocation,
  rescheduleOffer,
  slotConflictRefusals,
  slotInvalid,
  withBookingRescheduled,
  withoutBookingLimits,
} from "../../scheduling/index.ts";
import type { OrderContext } from "../context.ts";
import type { BookedOrder } from "./booked-order-repo.ts";
import {
  type BookingInitiator,
  type ChangeBookingResult,
  changeBooking,
} from "./change-booking.ts";

/** Who wants a booking rescheduled. The audit entry stores the value. */
export const rescheduleTypes = ["customer", "business", "system"] as const;

type RescheduleInput = Readonly<{
  start: number;
  end: number;
  /** Null prefers the booking's present staff member and otherwise assigns one who is free. */
  staffId: string | null;
  reason: string | null;
  type: (typeof rescheduleTypes)[number];
  initiator: BookingInitiator;
  /** The key that identifies a repeated request; null without an Idempotency-Key. */
  requestKey: string | null;
}>;

/**
 * Moves a booking to another time of the same length at the same location. One statement checks
 * that the new slot is free and takes it. The business may ignore the notice period, but not
 * opening hours or other bookings.
 *
 * @throws Refusal INVALID_STATE for a booking that is completed or cancelled,
 *   CANCELLATION_WINDOW_CLOSED to a customer inside the notice period, SLOT_INVALID for another
 *   length, SLOT_UNAVAILABLE, NOT_FOUND for an unknown staff member.
 */
export async function rescheduleBooking(
  ctx: OrderContext,
  booked: BookedOrder,
  { start, end, staffId: newStaffId, reason, type, initiator, requestKey }: RescheduleInput,
): Promise<ChangeBookingResult> {
  const bookings = bookingRepo(ctx);
  return changeBooking(ctx, booked, requestKey, (before, at) => {
    const booking = withBookingRescheduled(before, { at, startTime: start, endTime: end });
    if (initiator === "customer") assertCancellationNotice(before, at);
    const limitedOffer = rescheduleOffer(booked.bookedService, before, {
      newStaffId,
      business: ctx.business,
    });
    const offer = initiator === "business" ? withoutBookingLimits(limitedOffer) : limitedOffer;
    const participants = before.participantCount;
    const allocation = requireSlotAllocation(offer, { start, participants, now: at });
    if (allocation.endsAt !== end) throw slotInvalid(`It lasts ${offer.durationMinutes} minutes.`);
    return {
      booking,
      writes: [...bookings.move(booking, { allocation, at }), bookings.staffQuery(booking.id)],
      events: [
        {
          ...bookingEvent("booking.rescheduled", booking),
          computed: { staff_id: bookings.staffQuery(booking.id) },
        },
      ],
      audit: [
        {
          action: "booking.rescheduled",
          entity: before.orderId,
          before: auditedTimes(before),
          after: { ...auditedTimes(booking), reason, type },
        },
      ],
      refusals: slotConflictRefusals,
      withBatchResults: (moved, results) => ({ ...moved, staffId: parseAssignedStaffId(results) }),
    };
  });
}

/**
 * Finds the staff member in the results of the rescheduling batch. Only the query of the booking's
 * staff member returns a row with `staffId`.
 */
function parseAssignedStaffId(results: readonly unknown[]): string | null {
  for (const result of results) {
    const row: unknown = Array.isArray(result) ? result[0] : undefined;
    if (typeof row === "object" && row !== null && "staffId" in row) {
      return row.staffId === null ? null : String(row.staffId);
    }
  }
  throw new Error("The rescheduling batch returned no staff member.");
}

const auditedTimes = ({ id, startTime, endTime }: Booking) => ({ booking: id, startTime, endTime });
