import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import type { SlotAllocation } from "../slots/slot-allocation.ts";
import { bookings, slotClaims } from "../tables.ts";
import type { Booking } from "./booking.ts";
import { slotAllocationRepo } from "./slot-allocation-repo.ts";
import { slotHoldRepo } from "./slot-hold-repo.ts";

const t = bookings;

export type BookingRow = typeof bookings.$inferSelect;

/** A booking to insert with its slot, which the cart line may hold under `holdId`. */
export type NewBooking = Readonly<{ booking: Booking; allocation: SlotAllocation; holdId: string }>;

/**
 * The bookings of one business. These writes belong into the batch that changes the order, whose
 * version detects concurrent changes.
 */
export function bookingRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const hasId = (id: string) => and(eq(t.id, id), eq(t.businessId, business.id));
  // The unary plus keeps SQLite from using an index that covers the whole business.
  const isOfOrder = (orderId: string) =>
    and(eq(t.orderId, orderId), sql`+${t.businessId} = ${business.id}`);

  /** Copies the staff member of the allocation; without an allocation NOT NULL of `location_id` fails. */
  const insertRow = (
    { id, locationId, staffId: _, ...booking }: Booking,
    { staffIds }: SlotAllocation,
  ): Write => {
    const allocated = (column: SQL) =>
      sql`(select ${column} from slot_claims as allocated where allocated.id = ${id})`;
    return db.insert(t).values({
      ...booking,
      id,
      businessId: business.id,
      staffId: allocated(sql`allocated.staff_id`),
      locationId: staffIds === null ? locationId : allocated(sql`allocated.location_id`),
    });
  };

  return {
    /**
     * Must follow the insert of the order's row, which fails first when the batch is repeated. Converts
     * live holds, releases the others, then allocates what is missing: one statement per booking,
     * because each must see the staff that the previous ones took.
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

    /** Reads the staff member of a booking; for the end of the batch that assigns one. */
    staffQuery: (id: string) => db.select({ staffId: t.staffId }).from(t).where(hasId(id)),

    update({ id, status, cancelledAt, cancellationReason, updatedAt, version }: Booking): Write {
      return db
        .update(t)
        .set({ status, cancelledAt, cancellationReason, updatedAt, version })
        .where(hasId(id));
    },

    /**
     * Moves a booking and its allocation to another time and assigns a staff member who is free then.
     * The batch fails as in `slotConflictRefusals` when the new slot is not free.
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
          .update(t)
          .set({
            ...{ startTime, endTime, rescheduledFrom, updatedAt, version },
            staffId,
            locationId: sql`case when ${isStaffed} then ${t.locationId} end`,
          })
          .where(hasId(id)),
      ];
    },

    /** Deletes the booking's allocation, so that others can book the slot. */
    releaseSlot: (id: string): Write =>
      db
        .delete(slotClaims)
        .where(and(eq(slotClaims.id, id), eq(slotClaims.businessId, business.id))),

    /** Confirms the pending bookings of an order. */
    confirmAll: (orderId: string, at: number): Write =>
      db
        .update(t)
        .set({ status: "confirmed", updatedAt: at, version: sql`${t.version} + 1` })
        .where(and(isOfOrder(orderId), eq(t.status, "pending"))),

    /** Cancels the active bookings of an order and releases their slots. */
    cancelAll: (
      orderId: string,
      { reason, at }: { reason: string | null; at: number },
    ): Write[] => [
      db
        .update(t)
        .set({
          status: "cancelled",
          cancelledAt: at,
          cancellationReason: reason,
          updatedAt: at,
          version: sql`${t.version} + 1`,
        })
        .where(and(isOfOrder(orderId), sql`${t.status} in ('pending', 'confirmed')`)),
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
      db.update(t).set({ customerId }).where(isOfOrder(orderId)),
  };
}

/**
 * A query for the bookings of orders, for the batch that loads the orders.
 *
 * @param orderIds a subquery for the order ids, or a list of them in parentheses.
 */
export const bookingsOfOrders = ({ db }: Pick<Context, "db">, orderIds: SQL) =>
  db.select().from(t).where(sql`${t.orderId} in ${orderIds}`).orderBy(asc(t.orderId), asc(t.id));

export function toBooking({ businessId: _, ...booking }: BookingRow): Booking {
  return booking;
}
