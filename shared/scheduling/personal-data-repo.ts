import { and, eq, sql } from "drizzle-orm";
import { batchedRead, events, type PersonalData } from "../database/index.ts";
import type { Booking } from "./bookings/booking.ts";
import { bookingsOfOrders, toBooking } from "./bookings/booking-repo.ts";
import { bookings } from "./tables.ts";

/**
 * The bookings of a customer's orders. An erasure assigns guest bookings to the customer and
 * removes the cancellation reasons, also from stored events. The times stay.
 */
export const bookingPersonalData: PersonalData<Booking[]> = {
  read: (ctx, { orderIds }) =>
    batchedRead([bookingsOfOrders(ctx, orderIds)], ([rows]) => rows.map(toBooking)),

  erase: ({ db, business }, { customerId, orderIds }) => {
    const isOfOrders = sql`${bookings.orderId} in ${orderIds} and +${bookings.businessId} = ${business.id}`;
    return [
      db
        .update(events)
        .set({ data: sql`json_set(${events.data}, '$.cancellation_reason', null)` })
        .where(
          and(
            eq(events.businessId, business.id),
            sql`${events.subjectId} in (select booked.id from bookings as booked where booked.order_id in ${orderIds})`,
          ),
        ),
      db.update(bookings).set({ customerId, cancellationReason: null }).where(isOfOrders),
    ];
  },
};
