import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Write } from "../../database/index.ts";
import type { Place } from "../slots/place.ts";
import { bookings, slotClaims } from "../tables.ts";
import type { Booking } from "./booking.ts";
import { claimRepo } from "./claim-repo.ts";
import { holdRepo } from "./hold-repo.ts";

const t = bookings;

export type BookingRow = typeof bookings.$inferSelect;

/** A booking with the place that it takes, which a line in a cart may have held so far. */
export type NewBooking = Readonly<{ booking: Booking; place: Place; holdId: string }>;

/**
 * Bookings of one business's order lines. A change of one is a change of its order, whose version
 * lets one through at a time: these writes go into the order's batch.
 */
export function bookingRepo(ctx: Pick<Context, "db" | "business">) {
  const { db, business } = ctx;
  const own = (id: string) => and(eq(t.id, id), eq(t.businessId, business.id));
  // The unary plus keeps indexes out that lead to all bookings of the business.
  const ofOrder = (orderId: string) =>
    and(eq(t.orderId, orderId), sql`+${t.businessId} = ${business.id}`);
  const placeOf = (id: string) =>
    and(eq(slotClaims.id, id), eq(slotClaims.businessId, business.id));

  /** The giver is whoever the claim found; without a claim the row breaks `bookings.location_id`. */
  const record = (
    { id, locationId, staffId: _, ...booking }: Booking,
    { staffIds }: Place,
  ): Write => {
    const ofClaim = (what: SQL) =>
      sql`(select ${what} from slot_claims as claimed where claimed.id = ${id})`;
    return db.insert(t).values({
      ...booking,
      id,
      businessId: business.id,
      staffId: ofClaim(sql`claimed.staff_id`),
      locationId: staffIds === null ? locationId : ofClaim(sql`claimed.location_id`),
    });
  };

  return {
    /**
     * Goes behind the order's own row, which a repeat meets first. What is held still becomes theirs as
     * it is; the other places are claimed once all holds are gone, each by a statement of its own, since
     * one must see whom the others have taken.
     */
    insert(made: readonly NewBooking[], at: number): Write[] {
      if (made.length === 0) return [];
      const claims = claimRepo(ctx);
      const kept = made.map(({ booking: { id, orderId, lineItemId }, holdId, place }) => {
        return { id, holdId, orderId, orderLineId: lineItemId, place };
      });
      return [
        claims.keep(kept, at),
        holdRepo(ctx).release(made.map(({ holdId }) => holdId)),
        ...made.flatMap(({ booking, place }) => [
          claims.claimUnlessKept({
            id: booking.id,
            place,
            holder: { kind: "booking", orderId: booking.orderId, orderLineId: booking.lineItemId },
            at,
          }),
          record(booking, place),
        ]),
      ];
    },

    /** Who gives it: a query for the batch that finds somebody. */
    giverOf: (id: string) => db.select({ staffId: t.staffId }).from(t).where(own(id)),

    update({ id, status, cancelledAt, cancellationReason, updatedAt, version }: Booking): Write {
      return db
        .update(t)
        .set({ status, cancelledAt, cancellationReason, updatedAt, version })
        .where(own(id));
    },

    /** It is elsewhere in time from now on, given by whoever is free then. Fails as `placeTaken` knows. */
    move: ({ id, ...booking }: Booking, { place, at }: { place: Place; at: number }): Write[] => {
      const { startTime, endTime, rescheduledFrom, updatedAt, version } = booking;
      const giver = sql`(select claimed.staff_id from slot_claims as claimed where claimed.id = ${id})`;
      const isGiven = place.staffIds === null ? sql`1` : sql`${giver} is not null`;
      return [
        claimRepo(ctx).move(id, { place, at }),
        db
          .update(t)
          .set({
            ...{ startTime, endTime, rescheduledFrom, updatedAt, version },
            staffId: giver,
            locationId: sql`case when ${isGiven} then ${t.locationId} end`,
          })
          .where(own(id)),
      ];
    },

    /** Gives its place to others. */
    free: (id: string): Write => db.delete(slotClaims).where(placeOf(id)),

    /** With its order: the bookings that wait for it are confirmed. */
    confirmAll: (orderId: string, at: number): Write =>
      db
        .update(t)
        .set({ status: "confirmed", updatedAt: at, version: sql`${t.version} + 1` })
        .where(and(ofOrder(orderId), eq(t.status, "pending"))),

    /** With its order: the bookings that stand are cancelled, and their places are others' again. */
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
        .where(and(ofOrder(orderId), sql`${t.status} in ('pending', 'confirmed')`)),
      db.delete(slotClaims).where(
        and(
          eq(slotClaims.orderId, orderId),
          eq(slotClaims.businessId, business.id),
          sql`${slotClaims.id} in (select gone.id from bookings as gone
              where gone.order_id = ${orderId} and gone.status = 'cancelled')`,
        ),
      ),
    ],

    /** With its order: they become a customer's. */
    assignAll: (orderId: string, customerId: string | null): Write =>
      db.update(t).set({ customerId }).where(ofOrder(orderId)),
  };
}

/** A query, for the batch that reads orders; `ids` is a query for theirs, or a list of them in brackets. */
export const bookingsOfOrders = ({ db }: Pick<Context, "db">, ids: SQL) =>
  db.select().from(t).where(sql`${t.orderId} in ${ids}`).orderBy(asc(t.orderId), asc(t.id));

export function bookingFromRow({ businessId: _, ...booking }: BookingRow): Booking {
  return booking;
}
