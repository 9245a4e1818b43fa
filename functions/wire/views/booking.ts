import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import {
  type Booking,
  bookingRecord,
  bookingStatuses,
  changeableUntil,
  isActiveBooking,
} from "../../../shared/scheduling/index.ts";

export const BookingView = z
  .object({
    id: z.string(),
    order_id: z.string(),
    line_item_id: z.string(),
    service_id: z.string(),
    service_name: z.string(),
    variant_id: z.string().nullable(),
    staff_id: z.string().nullable(),
    location_id: z.string(),
    start_time: z.string(),
    end_time: z.string(),
    participant_count: z.number().int(),
    status: z.enum(bookingStatuses),
    customer_id: z.string().nullable(),
    cancelled_at: z.string().nullable(),
    cancellation_reason: z.string().nullable(),
    rescheduled_from: z.string().nullable(),
    /** Null for a status that is final. */
    changeable_until: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi("Booking");

export const viewBooking = (booking: Booking): z.infer<typeof BookingView> => ({
  ...bookingRecord(booking),
  changeable_until: isActiveBooking(booking) ? iso(changeableUntil(booking)) : null,
});
