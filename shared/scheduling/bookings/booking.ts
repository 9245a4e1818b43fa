import { iso, isoOrNull, minute, ruleBroken } from "../../kernel/index.ts";
import type { Service } from "../services/service.ts";
import type { BookingStatus } from "./booking-status.ts";

/** What an order line books (completions.md 8); its place is the claim of the same id. */
export type Booking = Readonly<{
  id: string;
  orderId: string;
  lineItemId: string;
  serviceId: string;
  serviceName: string;
  variantId: string | null;
  /** Who gives it, chosen by the shopper or for them; null for a service that needs nobody. */
  staffId: string | null;
  locationId: string;
  startTime: number;
  endTime: number;
  participantCount: number;
  status: BookingStatus;
  customerId: string | null;
  cancelledAt: number | null;
  cancellationReason: string | null;
  /** Where it started before it was moved; null while it never was. */
  rescheduledFrom: number | null;
  createdAt: number;
  updatedAt: number;
  /** Raised by every change; the order's own version lets one change through at a time. */
  version: number;
}>;

/** pending until its order is confirmed; the last three are final. */
const moves: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ["confirmed", "cancelled"],
  confirmed: ["completed", "no_show", "cancelled"],
  completed: [],
  cancelled: [],
  no_show: [],
};

/** Whether it occupies its slot and may still be moved or cancelled. */
export const isStanding = ({ status }: Pick<Booking, "status">): boolean =>
  moves[status].includes("cancelled");

/** @throws Refusal INVALID_STATE for a move that the booking's status does not allow. */
export function movedBooking(booking: Booking, status: BookingStatus, at: number): Booking {
  if (!moves[booking.status].includes(status)) {
    throw invalidState(`A booking that is ${booking.status} cannot become ${status}.`, booking);
  }
  return { ...changed(booking, at), status };
}

/** @throws Refusal INVALID_STATE when it is over or was cancelled before. */
export const cancelledBooking = (
  booking: Booking,
  { reason, at }: { reason: string | null; at: number },
): Booking => ({
  ...movedBooking(booking, "cancelled", at),
  cancelledAt: at,
  cancellationReason: reason,
});

/** When it is from now on. @throws Refusal INVALID_STATE as `cancelledBooking`. */
export function rescheduledBooking(
  booking: Booking,
  { at, ...times }: Pick<Booking, "startTime" | "endTime"> & { at: number },
): Booking {
  if (!isStanding(booking)) {
    throw invalidState(`A booking that is ${booking.status} cannot be moved.`, booking);
  }
  return { ...changed(booking, at), ...times, rescheduledFrom: booking.startTime };
}

/** @throws Refusal CANCELLATION_WINDOW_CLOSED when it starts sooner than the notice that the service asks for. */
export function demandNotice(
  { startTime }: Pick<Booking, "startTime">,
  {
    service: { cancellationNoticeMinutes },
    now,
  }: { service: Pick<Service, "cancellationNoticeMinutes">; now: number },
): void {
  if (now <= startTime - cancellationNoticeMinutes * minute && now < startTime) return;
  throw ruleBroken("CANCELLATION_WINDOW_CLOSED", "It is too late to change this booking.", {
    cancellation_notice_minutes: cancellationNoticeMinutes,
  });
}

const changed = (booking: Booking, at: number): Booking => ({
  ...booking,
  updatedAt: at,
  version: booking.version + 1,
});

const invalidState = (message: string, { status }: Booking) =>
  ruleBroken("INVALID_STATE", message, { status });

/** The record of completions.md 8, as answers and the events of booking.* carry it. */
export const bookingRecord = (booking: Booking) => ({
  id: booking.id,
  order_id: booking.orderId,
  line_item_id: booking.lineItemId,
  service_id: booking.serviceId,
  service_name: booking.serviceName,
  variant_id: booking.variantId,
  staff_id: booking.staffId,
  location_id: booking.locationId,
  start_time: iso(booking.startTime),
  end_time: iso(booking.endTime),
  participant_count: booking.participantCount,
  status: booking.status,
  customer_id: booking.customerId,
  cancelled_at: isoOrNull(booking.cancelledAt),
  cancellation_reason: booking.cancellationReason,
  rescheduled_from: isoOrNull(booking.rescheduledFrom),
  created_at: iso(booking.createdAt),
  updated_at: iso(booking.updatedAt),
});
