import { z } from "@hono/zod-openapi";
import type { OrderDetails } from "../../../../shared/orders/index.ts";
import type { ListedBooking } from "../../../../shared/scheduling/index.ts";
import { BookingView, viewBooking } from "../../../wire/views/booking.ts";
import { PaymentLinkView } from "../orders/payment-link.ts";

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

/** The booking that the business made (docs/contract/business.md#booking-create). */
export const CreatedBookingView = ListedBookingView.extend({
  payment_link: PaymentLinkView.nullable(),
}).openapi("CreatedBooking");

/** The booking of an order that was just placed. */
export const viewCreatedBooking = (
  { order, bookings: [booking] }: OrderDetails,
  paymentLink: z.infer<typeof PaymentLinkView> | null,
): z.infer<typeof CreatedBookingView> => {
  if (!booking) throw new Error(`Order ${order.id} was placed without its booking.`);
  const { customerName, orderNumber } = order;
  return {
    ...viewListedBooking({ ...booking, customerName, orderNumber }),
    payment_link: paymentLink,
  };
};
