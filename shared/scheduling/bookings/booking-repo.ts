import { and, asc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Context, type Db, isRowOfBusiness, type Write } from "../../database/index.ts";
import type { SlotAllocation } from "../slots/slot-allocation.ts";
import { bookings, services, slotClaims } from "../tables.ts";
import type { Booking } from "./booking.ts";
import { slotAllocationRepo } from "./slot-allocation-repo.ts";
import { slotHoldRepo } from "./slot-hold-repo.ts";

/** The columns of a booking, and the cancellation notice of its service. */
export const bookingColumns = {
  ...getTableColumns(bookings),
  cancellationNoticeMinutes: sql<number>`(select booked.cancellation_notice_minutes from ${services} as booked
    where booked.id = ${bookings.serviceId})`,
};

export type BookingRow = typeof bookings.$inferSelect & Pick<Booking, "cancellationNoticeMinutes">;

/**
 * A booking to insert, with the slot that it takes. `holdId` is the id of the cart line's hold of
 * that slot, which may not exist any more.
 */
export type NewBooking = Readonly<{ booking: Booking; allocation: SlotAllocation; holdId: string }>;

/**
 * The bookings of one business. Add these writes to the batch that changes the order, because only
 * the order's version detects concurrent changes.
 */
export function bookingRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const hasId = (id: string) => and(eq(bookings.id, id), eq(bookings.businessId, business.id));
  // The unary plus keeps SQLite from scanning all bookings of the business by the index on
  // business_id.
  const isOfOrders = (orderIds: SQL) =>
    and(sql`${bookings.orderId} in ${orderIds}`, sql`+${bookings.businessId} = ${business.id}`);
  const isOfOrder = (orderId: string) => isOfOrders(sql`(${orderId})`);

  /**
   * Inserts the booking with the staff member of its slot allocation. When a service needs staff
   * and has no allocation, the insert violates NOT NULL of `location_id`.
   */
  const insertRow = (
    { id, locationId, staffId: _, cancellationNoticeMinutes: __, ...booking }: Booking,
    { staffIds }: SlotAllocation,
  ): Write => {
    const allocated = (column: SQL) =>
      sql`(select ${column} from slot_claims as allocated where allocated.id = ${id})`;
    return db.insert(bookings).values({
      ...booking,
      id,
      businessId: business.id,
      staffId: allocated(sql`allocated.staff_id`),
      locationId: staffIds === null ? locationId : allocated(sql`allocated.location_id`),
    });
  };

  return {
    /**
     * Inserts the bookings of a new order, after the order's row. Holds that have not expired
     * become the bookings' allocations. The other bookings get theirs one by one, because each must
     * see the staff that earlier ones took.
     */
    insert(newBookings: readonly NewBooking[], at: number): Write[] {
      if (newBookings.length === 0) return [];
      const allocations = slotAllocationRepo(ctx);
      const heldBookings = newBookings.map(({ booking, holdId, allocation }) => {
        const { id, orderId, lineItemId: orderLineId } = booking;
        return { id, holdId, orderId, orderLineId, allocation };
      });
      return [
        allocations.convertHolds(heldBookings, at),
        slotHoldRepo(ctx).release(newBookings.map(({ holdId }) => holdId)),
        ...newBookings.flatMap(({ booking, allocation }) => [
          allocations.allocateIfAbsent({
            id: booking.id,
            allocation,
            holder: { kind: "booking", orderId: booking.orderId, orderLineId: booking.lineItemId },
            at,
          }),
          insertRow(booking, allocation),
        ]),
      ];
    },

    /**
     * A query for the staff member of a booking, to be read at the end of the batch that assigns
     * one.
     */
    staffQuery: (id: string) =>
      db.select({ staffId: bookings.staffId }).from(bookings).where(hasId(id)),

    update({ id, status, cancelledAt, cancellationReason, updatedAt, version }: Booking): Write {
      return db
        .update(bookings)
        .set({ status, cancelledAt, cancellationReason, updatedAt, version })
        .where(hasId(id));
    },

    /**
     * Moves a booking and its allocation to another time, and assigns a staff member who is free
     * then. When the slot is not free, the batch fails with a constraint of `slotConflictRefusals`.
     */
    move: (
      { id, ...booking }: Booking,
      { allocation, at }: { allocation: SlotAllocation; at: number },
    ): Write[] => {
      const { startTime, endTime, rescheduledFrom, updatedAt, version } = booking;
      const staffId = sql`(select allocated.staff_id from slot_claims as allocated where allocated.id = ${id})`;
      const isStaffed = allocation.staffIds === null ? sql`1` : sql`${staffId} is not null`;
      return [
        slotAllocationRepo(ctx).reallocate(id, { allocation, at }),
        db
          .update(bookings)
          .set({
            ...{ startTime, endTime, rescheduledFrom, updatedAt, version },
            staffId,
            locationId: sql`case when ${isStaffed} then ${bookings.locationId} end`,
          })
          .where(hasId(id)),
      ];
    },

    /** Deletes the booking's allocation, so that others can book the slot. */
    releaseSlot: (id: string): Write =>
      db
        .delete(slotClaims)
        .where(and(eq(slotClaims.id, id), eq(slotClaims.businessId, business.id))),

    /** Confirms the pending bookings of orders. */
    confirmAll: (orderIds: readonly string[], at: number): Write =>
      db
        .update(bookings)
        .set({ status: "confirmed", updatedAt: at, version: sql`${bookings.version} + 1` })
        .where(
          and(
            isOfOrders(sql`(select value from json_each(${JSON.stringify(orderIds)}))`),
            eq(bookings.status, "pending"),
          ),
        ),

    /** Cancels the active bookings of an order and releases their slots. */
    cancelAll: (
      orderId: string,
      { reason, at }: { reason: string | null; at: number },
    ): Write[] => [
      db
        .update(bookings)
        .set({
          status: "cancelled",
          cancelledAt: at,
          cancellationReason: reason,
          updatedAt: at,
          version: sql`${bookings.version} + 1`,
        })
        .where(and(isOfOrder(orderId), sql`${bookings.status} in ('pending', 'confirmed')`)),
      db.delete(slotClaims).where(
        and(
          eq(slotClaims.orderId, orderId),
          eq(slotClaims.businessId, business.id),
          sql`${slotClaims.id} in (select cancelled.id from bookings as cancelled
              where cancelled.order_id = ${orderId} and cancelled.status = 'cancelled')`,
        ),
      ),
    ],

    /** Sets the customer of an order's bookings. */
    assignAll: (orderId: string, customerId: string | null): Write =>
      db.update(bookings).set({ customerId }).where(isOfOrder(orderId)),

    /** Sets the customer of the bookings of orders. Both are queries in parentheses. */
    assignAllOf: (orderIds: SQL, customerId: SQL): Write =>
      db
        .update(bookings)
        .set({ customerId })
        .where(
          and(
            sql`${bookings.orderId} in ${orderIds}`,
            isRowOfBusiness(bookings.businessId, business),
          ),
        ),
  };
}

/** Cancels the active bookings of orders of several businesses of a shard, and releases their slots. */
export function cancelBookingsOfOrders(
  db: Db,
  orders: readonly Readonly<{ id: string; businessId: string }>[],
  { reason, at }: Readonly<{ reason: string; at: number }>,
): Write[] {
  const ids = JSON.stringify(orders.map(({ id, businessId }) => ({ id, businessId })));
  return [
    db
      .update(bookings)
      .set({
        status: "cancelled",
        cancelledAt: at,
        cancellationReason: reason,
        updatedAt: at,
        version: sql`${bookings.version} + 1`,
      })
      .from(sql`json_each(${ids}) as ended`)
      .where(
        sql`${bookings.orderId} = ended.value ->> 'id'
          and +${bookings.businessId} = ended.value ->> 'businessId'
          and ${bookings.status} in ('pending', 'confirmed')`,
      ),
    db.delete(slotClaims).where(
      sql`${slotClaims.id} in (select cancelled.id from json_each(${ids}) as ended
        cross join bookings as cancelled on cancelled.order_id = ended.value ->> 'id'
          and +cancelled.business_id = ended.value ->> 'businessId'
        where cancelled.status = 'cancelled')`,
    ),
  ];
}

/**
 * A query for the bookings of orders, for the batch that loads the orders.
 *
 * @param orderIds a subquery for order ids, or a list of ids, in parentheses.
 */
export const bookingsOfOrders = ({ db }: Pick<Context, "db">, orderIds: SQL) =>
  db
    .select(bookingColumns)
    .from(bookings)
    .where(sql`${bookings.orderId} in ${orderIds}`)
    .orderBy(asc(bookings.orderId), asc(bookings.id));

export function toBooking({ businessId: _, ...booking }: BookingRow): Booking {
  return booking;
}
