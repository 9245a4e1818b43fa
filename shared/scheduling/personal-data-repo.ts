import { and, eq, sql } from "drizzle-orm";
import { events, type PersonalData, reading } from "../database/index.ts";
import type { Booking } from "./bookings/booking.ts";
import { bookingFromRow, bookingsOfOrders } from "./bookings/booking-repo.ts";
import { bookings } from "./tables.ts";

/**
 * The bookings of a customer's orders. Blanked, they keep their times and become the customer's, a
 * guest's too; why they were cancelled goes, also where their events told of it.
 */
export const bookingPersonalData: PersonalData<Booking[]> = {
  read: (scope, { orderIds }) =>
    reading([bookingsOfOrders(scope, orderIds)], ([rows]) => rows.map(bookingFromRow)),

  erase: ({ db, business }, { customerId, orderIds }) => {
    const own = sql`${bookings.orderId} in ${orderIds} and +${bookings.businessId} = ${business.id}`;
    return [
      db
        .update(events)
        .set({ data: sql`json_set(${events.data}, '$.cancellation_reason', null)` })
        .where(
          and(
            eq(events.businessId, business.id),
            sql`${events.subjectId} in (select told.id from bookings as told where told.order_id in ${orderIds})`,
          ),
        ),
      db.update(bookings).set({ customerId, cancellationReason: null }).where(own),
    ];
  },
};
