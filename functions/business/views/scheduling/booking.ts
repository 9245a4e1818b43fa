import { z } from "@hono/zod-openapi";
import type { ListedBooking } from "../../../../shared/scheduling/index.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";

/** A booking in the merchant's lists (docs/contract/business.md#booking-record). */
export const ListedBookingView = BookingView.extend({
  customer_name: z.string().nullable(),
  order_number: z.string(),
}).openapi("ListedBooking");

export const viewListedBooking = (booking: ListedBooking): z.infer<typeof ListedBookingView> => ({
  ...viewBooking(booking),
  customer_name: booking.customerName,
  order_number: booking.orderNumber,
});
