import { and, asc, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { bookings } from "../tables.ts";
import type { Booking } from "./booking.ts";
import { bookingFromRow } from "./booking-repo.ts";
import type { BookingStatus } from "./booking-status.ts";

const t = bookings;

export type BookingFilter = Readonly<{
  /** When it starts, in epoch milliseconds; both ends count. */
  from?: number | undefined;
  to?: number | undefined;
  /** The service's id, or its product's. */
  serviceId?: string | undefined;
  status?: BookingStatus | undefined;
}>;

/** What stands before a booking in the merchant's list. */
export type BookingCursor = Readonly<{ startTime: number; id: string }>;

/** Whether a customer asks for what is still to come, or for what is over; null: for both. */
export type When = "upcoming" | "past" | null;

/** Bookings of one business in lists; each is one round trip. */
export function bookingListRepo({ db, business }: Pick<Context, "db" | "business">) {
  /** By their start, the earliest first; `after` is where the last page ended. */
  const query = (
    { from, to, serviceId, status }: BookingFilter,
    { limit, after }: { limit: number; after: BookingCursor | null },
  ) => {
    // One lower bound, whatever sets it: two would draw the planner to the index without the status.
    const earliest = after ? Math.max(after.startTime, from ?? after.startTime) : from;
    return db
      .select()
      .from(t)
      .where(
        and(
          eq(t.businessId, business.id),
          serviceId === undefined ? undefined : sql`${t.serviceId} = ${serviceNamed(serviceId)}`,
          status === undefined ? undefined : statusIs(status, serviceId),
          earliest === undefined ? undefined : gte(t.startTime, earliest),
          to === undefined ? undefined : lte(t.startTime, to),
          after === null
            ? undefined
            : sql`(+${t.startTime} > ${after.startTime} or +${t.id} > ${after.id})`,
        ),
      )
      .orderBy(asc(t.startTime), asc(t.id))
      .limit(limit);
  };

  const serviceNamed = (id: string): SQL => sql`(
    select named.id from services as named
    where (named.id = ${id} or named.product_id = ${id}) and +named.business_id = ${business.id})`;

  // Of one service there are fewer than of one status: its index serves both.
  const statusIs = (status: BookingStatus, serviceId: string | undefined): SQL =>
    serviceId === undefined ? eq(t.status, status) : sql`+${t.status} = ${status}`;

  return {
    query,

    /** A page of the merchant's calendar. */
    async list(...asked: Parameters<typeof query>): Promise<Booking[]> {
      return (await query(...asked)).map(bookingFromRow);
    },

    /** A query for the batch that asks for the login. What is to come: the soonest first; else the latest. */
    ofCustomer(
      customerId: string,
      { when, now, limit, offset }: { when: When; now: number; limit: number; offset: number },
    ) {
      const own = [eq(t.businessId, business.id), eq(t.customerId, customerId)];
      const query = db.select().from(t);
      return when === "upcoming"
        ? query
            .where(and(...own, gte(t.startTime, now)))
            .orderBy(asc(t.startTime), asc(t.id))
            .limit(limit)
            .offset(offset)
        : query
            .where(and(...own, when === "past" ? lt(t.startTime, now) : undefined))
            .orderBy(desc(t.startTime), desc(t.id))
            .limit(limit)
            .offset(offset);
    },
  };
}
