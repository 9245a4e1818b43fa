import { and, asc, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { type BatchedRead, batchedRead, type Context } from "../../database/index.ts";
import { bookings } from "../tables.ts";
import type { Booking, BookingStatus } from "./booking.ts";
import { type BookingRow, bookingColumns, toBooking } from "./booking-repo.ts";

/** A booking in the merchant's list, with what its order says about the customer. */
export type ListedBooking = Booking &
  Readonly<{ customerName: string | null; orderNumber: string }>;

/** Reads orders of shared/orders, so that no second round trip is needed. */
const listedColumns = {
  ...bookingColumns,
  customerName: sql<
    string | null
  >`(select placed.customer_name from orders as placed where placed.id = ${bookings.orderId})`,
  orderNumber: sql<string>`(select placed.order_number from orders as placed where placed.id = ${bookings.orderId})`,
};

export type BookingFilter = Readonly<{
  /** The earliest and latest start time, both inclusive, in epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  customerId?: string | undefined;
  /** The id of the service or of its product. */
  serviceId?: string | undefined;
  status?: BookingStatus | undefined;
}>;

/** Identifies the last booking of a page. The next page starts after this booking. */
export type BookingCursor = Readonly<{ startTime: number; id: string }>;

export type PeriodBookings = Readonly<{ total: number; upcoming: readonly ListedBooking[] }>;

export type CustomerBookingPage = Readonly<{
  /** Selects by start time. Null selects both future and past bookings. */
  period: "upcoming" | "past" | null;
  now: number;
  limit: number;
  offset: number;
  /** Null where the offset decides. */
  after: BookingCursor | null;
}>;

/** Lists of the bookings of one business. Each list is one round trip. */
export function bookingListQuery({ db, business }: Pick<Context, "db" | "business">) {
  /**
   * A query for a page of the merchant's list, earliest start first. `after` is the last booking on
   * the previous page.
   */
  const query = (
    { from, to, customerId, serviceId, status }: BookingFilter,
    { limit, after }: { limit: number; after: BookingCursor | null },
  ) => {
    // The two lower bounds are combined into one. With both, SQLite would choose an index without
    // the status.
    const earliest = after ? Math.max(after.startTime, from ?? after.startTime) : from;
    return db
      .select(listedColumns)
      .from(bookings)
      .where(
        and(
          eq(bookings.businessId, business.id),
          customerId === undefined ? undefined : eq(bookings.customerId, customerId),
          serviceId === undefined
            ? undefined
            : sql`${hint(customerId)}${bookings.serviceId} = ${serviceIdQuery(serviceId)}`,
          status === undefined
            ? undefined
            : sql`${hint(customerId, serviceId)}${bookings.status} = ${status}`,
          earliest === undefined ? undefined : gte(bookings.startTime, earliest),
          to === undefined ? undefined : lte(bookings.startTime, to),
          after === null
            ? undefined
            : sql`(+${bookings.startTime} > ${after.startTime} or +${bookings.id} > ${after.id})`,
        ),
      )
      .orderBy(asc(bookings.startTime), asc(bookings.id))
      .limit(limit);
  };

  const serviceIdQuery = (id: string): SQL => sql`(
    select named.id from services as named
    where (named.id = ${id} or named.product_id = ${id}) and +named.business_id = ${business.id})`;

  // A unary plus keeps SQLite from the index of a column when another filter selects fewer bookings:
  // a customer has fewer than a service, and a service fewer than a status.
  const hint = (...narrower: readonly (string | undefined)[]): SQL =>
    sql.raw(narrower.some((filter) => filter !== undefined) ? "+" : "");

  return {
    query,

    /** Returns a page of the merchant's list. */
    async list(...[filter, page]: Parameters<typeof query>): Promise<ListedBooking[]> {
      return (await query(filter, page)).map(toListedBooking);
    },

    /**
     * Reads how many bookings that are not cancelled start in a period, counted up to `maxTotal`, and
     * the first confirmed ones from now on. Both ends of the period are included.
     */
    periodRead(
      { from, to }: Readonly<{ from: number; to: number }>,
      { now, maxTotal, maxUpcoming }: Readonly<Record<"now" | "maxTotal" | "maxUpcoming", number>>,
    ): BatchedRead<PeriodBookings> {
      const total = db
        .select({ count: sql<number>`count(*)` })
        .from(
          sql`(select 1 from ${bookings} where ${and(
            eq(bookings.businessId, business.id),
            gte(bookings.startTime, from),
            lte(bookings.startTime, to),
            sql`+${bookings.status} <> 'cancelled'`,
          )} limit ${maxTotal})`,
        );
      const page = { limit: maxUpcoming, after: null };
      const upcoming = query({ from: Math.max(from, now), to, status: "confirmed" }, page);
      return batchedRead([total, upcoming], ([[counted], rows]) => ({
        total: counted?.count ?? 0,
        upcoming: rows.map(toListedBooking),
      }));
    },

    /**
     * A query for a customer's bookings, for the batch that checks the login. Upcoming bookings are
     * listed earliest first, all other lists latest first.
     */
    ofCustomerQuery(
      customerId: string,
      { period, now, limit, offset, after }: CustomerBookingPage,
    ) {
      const isOfCustomer = [
        eq(bookings.businessId, business.id),
        eq(bookings.customerId, customerId),
      ];
      const all = db.select(bookingColumns).from(bookings);
      // As above, a single bound of the start time, which the cursor and the period share.
      if (period === "upcoming") {
        const earliest = Math.max(now, after?.startTime ?? now);
        const isAfter =
          after &&
          sql`(+${bookings.startTime} > ${after.startTime} or +${bookings.id} > ${after.id})`;
        return all
          .where(and(...isOfCustomer, gte(bookings.startTime, earliest), isAfter ?? undefined))
          .orderBy(asc(bookings.startTime), asc(bookings.id))
          .limit(limit)
          .offset(offset);
      }
      const bounds = [...(period === "past" ? [now - 1] : []), ...(after ? [after.startTime] : [])];
      const isBefore =
        after &&
        sql`(+${bookings.startTime} < ${after.startTime} or +${bookings.id} < ${after.id})`;
      return all
        .where(
          and(
            ...isOfCustomer,
            bounds.length === 0 ? undefined : lte(bookings.startTime, Math.min(...bounds)),
            isBefore ?? undefined,
          ),
        )
        .orderBy(desc(bookings.startTime), desc(bookings.id))
        .limit(limit)
        .offset(offset);
    },
  };
}

const toListedBooking = ({
  customerName,
  orderNumber,
  ...row
}: BookingRow & Pick<ListedBooking, "customerName" | "orderNumber">): ListedBooking => ({
  ...toBooking(row),
  customerName,
  orderNumber,
});
