import {
  type Booking,
  bookingEvent,
  bookingRepo,
  demandNotice,
  offerOfBooking,
  offerToBusiness,
  placeTaken,
  rescheduledBooking,
  slotInvalid,
  wantedPlace,
} from "../../scheduling/index.ts";
import type { OrderContext } from "../context.ts";
import type { BookedOrder } from "./booked-order-repo.ts";
import { type BookingParty, type ChangedBooking, changeBooking } from "./change-booking.ts";

/** On whose behalf a booking is moved (interface.md, POST /scheduling/bookings/reschedule). */
export const rescheduleTypes = ["customer", "business", "system"] as const;

export type NewTime = Readonly<{
  start: number;
  end: number;
  /** Null: its own staff member, or whoever is free. */
  staffId: string | null;
  reason: string | null;
  type: (typeof rescheduleTypes)[number];
  by: BookingParty;
  /** By what a repeat is known; null without an Idempotency-Key. */
  requestKey: string | null;
}>;

/**
 * Moves a booking to another time of the same length, at the same location. Its place changes in the
 * same statement that asks whether the other one is free; why it was moved stands in the audit. The
 * business keeps to hours and to what is free, and to no notice.
 *
 * @throws Refusal INVALID_STATE for a booking that is over, to a shopper CANCELLATION_WINDOW_CLOSED inside
 * the notice period, SLOT_INVALID for another length, SLOT_UNAVAILABLE, NOT_FOUND for an unknown staff member.
 */
export async function rescheduleBooking(
  ctx: OrderContext,
  found: BookedOrder,
  { start, end, staffId: newStaffId, reason, type, by, requestKey }: NewTime,
): Promise<ChangedBooking> {
  const bookings = bookingRepo(ctx);
  return changeBooking(ctx, found, requestKey, (before, at) => {
    const booking = rescheduledBooking(before, { at, startTime: start, endTime: end });
    if (by === "customer") demandNotice(before, { service: found.booked.service, now: at });
    const within = offerOfBooking(found.booked, before, { newStaffId, business: ctx.business });
    const offer = by === "business" ? offerToBusiness(within) : within;
    const participants = before.participantCount;
    const place = wantedPlace(offer, { start, participants, now: at });
    if (place.endsAt !== end) throw slotInvalid(`It lasts ${offer.durationMinutes} minutes.`);
    return {
      booking,
      writes: [...bookings.move(booking, { place, at }), bookings.giverOf(booking.id)],
      events: [
        {
          ...bookingEvent("booking.rescheduled", booking),
          computed: { staff_id: bookings.giverOf(booking.id) },
        },
      ],
      audit: [
        {
          action: "booking.rescheduled",
          entity: before.orderId,
          before: whenOf(before),
          after: { ...whenOf(booking), reason, type },
        },
      ],
      refusals: placeTaken,
      settled: (moved, results) => ({ ...moved, staffId: giverIn(results) }),
    };
  });
}

/** Whom the batch found to give it: its only statement that answers with a staff member. */
function giverIn(results: readonly unknown[]): string | null {
  for (const result of results) {
    const row: unknown = Array.isArray(result) ? result[0] : undefined;
    if (typeof row === "object" && row !== null && "staffId" in row) {
      return row.staffId === null ? null : String(row.staffId);
    }
  }
  throw new Error("A booking was moved without saying who gives it.");
}

const whenOf = ({ id, startTime, endTime }: Booking) => ({ booking: id, startTime, endTime });
