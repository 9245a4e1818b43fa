import type { DomainEvent, EventType } from "../../events/index.ts";
import { type Booking, bookingRecord } from "./booking.ts";

type BookingEvent = Extract<EventType, `booking.${string}`>;

/** The snapshot that goes with booking.*: the booking as it stands (completions.md 14). */
export const bookingEvent = (type: BookingEvent, booking: Booking): DomainEvent => ({
  type,
  subjectId: booking.id,
  data: bookingRecord(booking),
});
