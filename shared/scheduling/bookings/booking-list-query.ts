import { and, asc, desc, eq, gte, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { bookings } from "../tables.ts";
import type { Booking, BookingStatus } from "./booking.ts";
import { toBooking } from "./booking-repo.ts";

const t = bookings;

export type BookingFilter = Readonly<{
  /** The range of start times in epoch milliseconds, both ends included. */
  from?: number | undefined;
  to?: number | undefined;
  /** The id of the service or of its product. */
  serviceId?: string | undefined;
  status?: BookingStatus | undefined;
}>;

/** The last booking on the previous page of the merchant's list. */
export type BookingCursor = Readonly<{ startTime: number; id: string }>;

/** Selects a customer's future or past bookings; null selects both. */
export type BookingPeriod = "upcoming" | "past" | null;

/** The bookings of one business in lists; each list is one round trip. */
export function bookingListQuery({ db, business }: Pick<Context, "db" | "business">) {
  /** Earliest start first; `after` is the last booking on the previous page. */
  const query = (
    { from, to, serviceId, status }: BookingFilter,
    { limit, after }: { limit: number; after: BookingCursor | null },
  ) => {
    // A single lower bound: with two, SQLite would choose the index that lacks the status.
    const earliest = after ? Math.max(after.startTime, from ?? after.startTime) : from;
    return db
      .select()
      .from(t)
      .where(
        and(
          eq(t.businessId, business.id),
          serviceId === undefined ? undefined : sql`${t.serviceId} = ${serviceIdQuery(serviceId)}`,
          status === undefined ? undefined : hasStatus(status, serviceId),
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

  const serviceIdQuery = (id: string): SQL => sql`(
    select named.id from services as named
    where (named.id = ${id} or named.product_id = ${id}) and +named.business_id = ${business.id})`;

  // One service has fewer bookings than one status, so a filter by both uses the service's index.
  const hasStatus = (status: BookingStatus, serviceId: string | undefined): SQL =>
    serviceId === undefined ? eq(t.status, status) : sql`+${t.status} = ${status}`;

  return {
    query,

    /** Returns a page of the merchant's list. */
    async list(...[filter, page]: Parameters<typeof query>): Promise<Booking[]> {
      return (await query(filter, page)).map(toBooking);
    },

    /**
     * A query for a customer's bookings, for the batch that checks the login. Upcoming bookings come
     * earliest first, others latest first.
     */
    ofCustomerQuery(
      customerId: string,
      {
        period,
        now,
        limit,
        offset,
      }: { period: BookingPeriod; now: number; limit: number; offset: number },
    ) {
      const isOfCustomer = [eq(t.businessId, business.id), eq(t.customerId, customerId)];
      const all = db.select().from(t);
      return period === "upcoming"
        ? all
            .where(and(...isOfCustomer, gte(t.startTime, now)))
            .orderBy(asc(t.startTime), asc(t.id))
            .limit(limit)
            .offset(offset)
        : all
            .where(and(...isOfCustomer, period === "past" ? lt(t.startTime, now) : undefined))
            .orderBy(desc(t.startTime), desc(t.id))
            .limit(limit)
            .offset(offset);
    },
  };
}
