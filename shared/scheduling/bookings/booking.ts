import type { DomainEvent, EventType } from "../../events/index.ts";
import { iso, isoOrNull, minute, type Refusal, ruleViolation } from "../../kernel/index.ts";

export const bookingStatuses = [
  "pending",
  "confirmed",
  "completed",
  "cancelled",
  "no_show",
] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/**
 * The booking of an order line. While the booking is active, a row of `slot_claims` with the same
 * id occupies the slot.
 */
export type Booking = Readonly<{
  id: string;
  orderId: string;
  lineItemId: string;
  serviceId: string;
  serviceName: string;
  variantId: string | null;
  /** The requested or assigned staff member; null for a service that needs no staff. */
  staffId: string | null;
  locationId: string;
  startTime: number;
  endTime: number;
  participantCount: number;
  status: BookingStatus;
  customerId: string | null;
  cancelledAt: number | null;
  cancellationReason: string | null;
  /** The start time before the last reschedule; null when the booking was never rescheduled. */
  rescheduledFrom: number | null;
  /** The notice that the service asks for now. It is read with the booking and not stored in it. */
  cancellationNoticeMinutes: number;
  createdAt: number;
  updatedAt: number;
  /**
   * Raised by every change. Nothing compares it: the order's version detects concurrent changes.
   */
  version: number;
}>;

/**
 * The statuses that may follow each status. The statuses completed, cancelled and no_show are
 * final.
 */
const allowedTransitions: Readonly<Record<BookingStatus, readonly BookingStatus[]>> = {
  pending: ["confirmed", "cancelled"],
  confirmed: ["completed", "no_show", "cancelled"],
  completed: [],
  cancelled: [],
  no_show: [],
};

/** Whether the booking occupies its slot and can be rescheduled or cancelled. */
export const isActiveBooking = ({ status }: Pick<Booking, "status">): boolean =>
  allowedTransitions[status].includes("cancelled");

/** @throws Refusal INVALID_STATE for a transition that the current status does not allow. */
export function withBookingStatus(booking: Booking, status: BookingStatus, at: number): Booking {
  if (!allowedTransitions[booking.status].includes(status)) {
    throw invalidState(`A booking that is ${booking.status} cannot become ${status}.`, booking);
  }
  return { ...withNextVersion(booking, at), status };
}

/** @throws Refusal INVALID_STATE when the booking is completed or cancelled. */
export const withBookingCancelled = (
  booking: Booking,
  { reason, at }: { reason: string | null; at: number },
): Booking => ({
  ...withBookingStatus(booking, "cancelled", at),
  cancelledAt: at,
  cancellationReason: reason,
});

/** @throws Refusal INVALID_STATE when the booking is completed or cancelled. */
export function withBookingRescheduled(
  booking: Booking,
  { at, ...times }: Pick<Booking, "startTime" | "endTime"> & { at: number },
): Booking {
  if (!isActiveBooking(booking)) {
    throw invalidState(`A booking that is ${booking.status} cannot be rescheduled.`, booking);
  }
  return { ...withNextVersion(booking, at), ...times, rescheduledFrom: booking.startTime };
}

type BookingNotice = Pick<Booking, "startTime" | "cancellationNoticeMinutes">;

/** The last moment at which a customer may cancel or move the booking, if its status allows it. */
export const changeableUntil = ({ startTime, cancellationNoticeMinutes }: BookingNotice): number =>
  startTime - cancellationNoticeMinutes * minute;

/** Whether the service's cancellation notice is left (docs/contract/storefront.md#booking-notice). */
export const hasCancellationNotice = (booking: BookingNotice, now: number): boolean =>
  now <= changeableUntil(booking) && now < booking.startTime;

/**
 * Checks that a customer may still change a booking.
 *
 * @throws Refusal CANCELLATION_WINDOW_CLOSED when the service's notice period has begun.
 */
export function assertCancellationNotice(booking: BookingNotice, now: number): void {
  if (!hasCancellationNotice(booking, now)) {
    throw cancellationTooLate(booking, "It is too late to change this booking.");
  }
}

/**
 * The refusal of a customer's cancellation that would end or refund the booking too late; null when
 * the booking does not prevent it. A booking that was cancelled in time does not.
 */
export function findNoticeRefusal(booking: Booking, now: number): Refusal | null {
  const endedAt = isActiveBooking(booking) ? now : (booking.cancelledAt ?? booking.startTime);
  if (hasCancellationNotice(booking, endedAt)) return null;
  return cancellationTooLate(
    booking,
    "It is too late to cancel the booking of this order. Ask the business to cancel it.",
  );
}

const cancellationTooLate = (
  { cancellationNoticeMinutes }: BookingNotice,
  message: string,
): Refusal =>
  ruleViolation("CANCELLATION_WINDOW_CLOSED", message, {
    cancellation_notice_minutes: cancellationNoticeMinutes,
  });

const withNextVersion = (booking: Booking, at: number): Booking => ({
  ...booking,
  updatedAt: at,
  version: booking.version + 1,
});

const invalidState = (message: string, { status }: Booking) =>
  ruleViolation("INVALID_STATE", message, { status });

/** The booking as it appears in API responses and in `booking.*` events. */
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

type BookingEventType = Extract<EventType, `booking.${string}`>;

export const bookingEvent = (type: BookingEventType, booking: Booking): DomainEvent => ({
  type,
  subjectId: booking.id,
  data: bookingRecord(booking),
});
