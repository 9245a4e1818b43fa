import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Business } from "../../businesses/index.ts";
import type { Context } from "../../database/index.ts";
import { minute, notFound } from "../../kernel/index.ts";
import type { Booking } from "../bookings/booking.ts";
import { slotUnavailable } from "../slots/place.ts";
import type { SlotOffer } from "../slots/slot.ts";
import { services, slotClaims } from "../tables.ts";
import type { Service, ServiceMeans } from "./service.ts";
import { meansFrom, meansOf, meansQueries } from "./service-means-repo.ts";
import { serviceFromRow } from "./service-repo.ts";

/** The service of a booking as it stands, and what was agreed when it was booked. */
export type BookedService = ServiceMeans &
  Readonly<{
    service: Service;
    /** As long as it was booked, with as many places as there are by now; null when it has none any more. */
    claimed: Pick<SlotOffer, "durationMinutes" | "bufferMinutes" | "capacity"> | null;
  }>;

/**
 * The statements that read the services of orders' bookings, for the batch that reads the orders;
 * `bookedServiceOf` finds a booking's among their results.
 *
 * @param orderIds a query for the orders' ids, or a list of them in brackets.
 */
export function bookedServiceQueries(scope: Pick<Context, "db" | "business">, orderIds: SQL) {
  const { db, business } = scope;
  const booked = sql`${services.id} in (select booked.service_id from bookings as booked where booked.order_id in ${orderIds})`;
  return [
    db
      .select()
      .from(services)
      .where(and(booked, eq(services.businessId, business.id))),
    ...meansQueries(scope, booked),
    db
      .select({
        id: slotClaims.id,
        startsAt: slotClaims.startsAt,
        endsAt: slotClaims.endsAt,
        occupiedUntil: slotClaims.occupiedUntil,
        variantCapacity: sql<number | null>`(select variant.capacity from bookings as booked
          join product_variants as variant on variant.id = booked.variant_id
          where booked.id = "slot_claims"."id")`,
      })
      .from(slotClaims)
      .where(
        and(sql`${slotClaims.orderId} in ${orderIds}`, eq(slotClaims.businessId, business.id)),
      ),
  ] as const;
}

type Rows = readonly [
  (typeof services.$inferSelect)[],
  ...Parameters<typeof meansFrom>[0],
  (Pick<typeof slotClaims.$inferSelect, "id" | "startsAt" | "endsAt" | "occupiedUntil"> &
    Readonly<{ variantCapacity: number | null }>)[],
];

export function bookedServiceOf(
  { id, serviceId }: Booking,
  [rows, staff, resources, claims]: Rows,
): BookedService {
  const row = rows.find((one) => one.id === serviceId);
  if (!row) throw notFound("service");
  const service = serviceFromRow(row);
  const claim = claims.find((one) => one.id === id);
  return {
    service,
    ...meansOf(service, meansFrom([staff, resources])),
    claimed: claim
      ? {
          durationMinutes: (claim.endsAt - claim.startsAt) / minute,
          bufferMinutes: (claim.occupiedUntil - claim.endsAt) / minute,
          capacity: claim.variantCapacity ?? service.capacity,
        }
      : null,
  };
}

/**
 * What a booking can be moved within: its location, as long as it was booked for, by the staff member
 * asked for or, unless there is a wish, by its own before anybody else.
 *
 * @throws Refusal NOT_FOUND for a staff member who does not give it, SLOT_UNAVAILABLE for a location that is gone.
 */
export function offerOfBooking(
  { service, staff, resources, claimed }: BookedService,
  { locationId, staffId }: Pick<Booking, "locationId" | "staffId">,
  { newStaffId, business }: { newStaffId: string | null; business: Business },
): SlotOffer {
  const location = business.locations.find(({ id }) => id === locationId);
  if (!location || !claimed) throw slotUnavailable("OUTSIDE_HOURS");
  const wanted = staff.filter(({ id }) => newStaffId === null || id === newStaffId);
  if (newStaffId !== null && wanted.length === 0) throw notFound("staff member");
  const ownFirst = wanted.toSorted((a, b) => Number(b.id === staffId) - Number(a.id === staffId));
  return {
    service,
    location,
    ...claimed,
    staff: service.staffIds.length === 0 ? null : ownFirst,
    resources,
  };
}
