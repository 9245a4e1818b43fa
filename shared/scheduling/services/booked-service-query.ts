import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Business } from "../../businesses/index.ts";
import type { Context } from "../../database/index.ts";
import { minute, notFound } from "../../kernel/index.ts";
import type { Booking } from "../bookings/booking.ts";
import type { SlotOffer } from "../slots/slot-offer.ts";
import { slotUnavailable } from "../slots/slot-refusals.ts";
import { services, slotClaims } from "../tables.ts";
import type { Service, ServiceResources } from "./service.ts";
import { toService } from "./service-repo.ts";
import {
  resourcesOfService,
  staffAndResourceQueries,
  toServiceResources,
} from "./service-resources-query.ts";

/** A booking's service as it is now, with the duration and buffer that were booked. */
export type BookedService = ServiceResources &
  Readonly<{
    service: Service;
    /**
     * The booked duration and buffer, and the current capacity. Null when the booking has no slot.
     */
    bookedTerms: Pick<SlotOffer, "durationMinutes" | "bufferMinutes" | "capacity"> | null;
  }>;

/**
 * The queries for the services of orders' bookings, for the batch that loads the orders.
 * `toBookedService` reads the results. A variant's capacity is read from the table product_variants
 * of the catalogue.
 *
 * @param orderIds a subquery for order ids, or a list of ids, in parentheses.
 */
export function bookedServiceQueries(ctx: Pick<Context, "db" | "business">, orderIds: SQL) {
  const { db, business } = ctx;
  const isBooked = sql`${services.id} in (select booked.service_id from bookings as booked where booked.order_id in ${orderIds})`;
  return [
    db
      .select()
      .from(services)
      .where(and(isBooked, eq(services.businessId, business.id))),
    ...staffAndResourceQueries(ctx, isBooked),
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

type BookedServiceRows = readonly [
  (typeof services.$inferSelect)[],
  ...Parameters<typeof toServiceResources>[0],
  (Pick<typeof slotClaims.$inferSelect, "id" | "startsAt" | "endsAt" | "occupiedUntil"> &
    Readonly<{ variantCapacity: number | null }>)[],
];

/** @throws Refusal NOT_FOUND when the rows do not contain the booking's service. */
export function toBookedService(
  { id, serviceId }: Booking,
  [serviceRows, staffRows, resourceRows, allocations]: BookedServiceRows,
): BookedService {
  const row = serviceRows.find((candidate) => candidate.id === serviceId);
  if (!row) throw notFound("service");
  const service = toService(row);
  const allocation = allocations.find((candidate) => candidate.id === id);
  return {
    service,
    ...resourcesOfService(service, toServiceResources([staffRows, resourceRows])),
    bookedTerms: allocation
      ? {
          durationMinutes: (allocation.endsAt - allocation.startsAt) / minute,
          bufferMinutes: (allocation.occupiedUntil - allocation.endsAt) / minute,
          capacity: allocation.variantCapacity ?? service.capacity,
        }
      : null,
  };
}

/**
 * The location, duration and staff with which a booking can be rescheduled. Without a requested
 * staff member (`newStaffId`), the booking's own is tried first.
 *
 * @throws Refusal NOT_FOUND for a staff member who does not provide the service; SLOT_UNAVAILABLE
 *   when the location no longer exists.
 */
export function rescheduleOffer(
  { service, staff, resources, bookedTerms }: BookedService,
  { locationId, staffId }: Pick<Booking, "locationId" | "staffId">,
  { newStaffId, business }: { newStaffId: string | null; business: Business },
): SlotOffer {
  const location = business.locations.find(({ id }) => id === locationId);
  if (!location || !bookedTerms) throw slotUnavailable("OUTSIDE_HOURS");
  const eligibleStaff = staff.filter(({ id }) => newStaffId === null || id === newStaffId);
  if (newStaffId !== null && eligibleStaff.length === 0) throw notFound("staff member");
  const currentFirst = eligibleStaff.toSorted(
    (a, b) => Number(b.id === staffId) - Number(a.id === staffId),
  );
  return {
    service,
    location,
    ...bookedTerms,
    staff: service.staffIds.length === 0 ? null : currentFirst,
    resources,
  };
}
