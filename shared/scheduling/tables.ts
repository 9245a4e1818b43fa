import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { products } from "../catalogue/tables.ts";
import { document, instant, oneOf } from "../database/columns.ts";
import { type BookingStatus, bookingStatuses } from "./bookings/booking-status.ts";
import { type ClaimKind, claimKinds } from "./bookings/claim.ts";
import type { StaffMember } from "./staff/staff.ts";

/** What makes a product bookable; name, price and variants are the product's. */
export const services = sqliteTable(
  "services",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    productId: text("product_id")
      .notNull()
      .unique()
      .references(() => products.id),
    durationMinutes: integer("duration_minutes").notNull(),
    bufferMinutes: integer("buffer_minutes").notNull(),
    capacity: integer("capacity").notNull(),
    slotIntervalMinutes: integer("slot_interval_minutes").notNull(),
    minNoticeMinutes: integer("min_notice_minutes").notNull(),
    bookingWindowDays: integer("booking_window_days").notNull(),
    cancellationNoticeMinutes: integer("cancellation_notice_minutes").notNull(),
    locationIds: document<readonly string[]>("location_ids").notNull(),
    /** Who gives it; none: it needs nobody. */
    staffIds: document<readonly string[]>("staff_ids").notNull().default([]),
    /** What each participant takes a place of. */
    resourceIds: document<readonly string[]>("resource_ids").notNull().default([]),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("services_by_business").on(t.businessId, t.id),
    check("services_duration", sql`duration_minutes > 0 and buffer_minutes >= 0 and capacity > 0`),
  ],
);

export const staff = sqliteTable(
  "staff",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    /** Null: whenever the location is open. */
    hours: document<NonNullable<StaffMember["hours"]>>("hours"),
    timeOff: document<StaffMember["timeOff"]>("time_off").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    archivedAt: instant("archived_at"),
  },
  (t) => [index("staff_by_business").on(t.businessId, t.id).where(sql`archived_at is null`)],
);

/** A room, a machine: as many participants at once as its capacity, whatever the service. */
export const resources = sqliteTable(
  "resources",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    capacity: integer("capacity").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    archivedAt: instant("archived_at"),
  },
  (t) => [
    index("resources_by_business").on(t.businessId, t.id).where(sql`archived_at is null`),
    check("resources_capacity", sql`capacity > 0`),
  ],
);

/** What is read of a claim to count it: with these in an index, the table itself is not read. */
const counted = (
  t: Record<"startsAt" | "occupiedUntil" | "expiresAt" | "participants", AnySQLiteColumn>,
) => [t.startsAt, t.occupiedUntil, t.expiresAt, t.participants] as const;

/**
 * What occupies time: the hold of a cart line, or a booking (completions.md 8). It overlaps another
 * when [starts_at, occupied_until) of both do, their buffers included; it is live while it is a
 * booking, or a hold that ends after the other's `claimed_at`.
 *
 * Triggers (the view of the migration `slot_claim_rules` and, as they stand by now, `business_fence_triggers`
 * for an insert, `slot_claims_kept` for an update) look at each row that is written, and abort its whole
 * batch with one of these names in the error's text, for `refusals` of `commit`:
 *
 * - `slot_over_capacity`: the participants of the live claims of its service and location that it
 *   overlaps, its own among them, are more than the `capacity` that it brings (its variant's, or its
 *   service's).
 * - `slot_staff_taken`: its staff member has a live claim that overlaps it, of another session. One
 *   session is one service, location and start.
 * - `slot_resource_taken`: the participants of the live claims that overlap it and name a resource
 *   of it, its own among them, are more than that resource's capacity.
 *
 * Nothing else is needed, no check before a write and no lock: of two writers for the last place one
 * is refused. A row is never in its own way, so a write may be repeated under its id: insert with
 * `on conflict (id) do update`. What a live row has it keeps: those who overlap it, each within what was
 * left to them, may together be more than fit around it, so an update that asks for no more is not refused.
 *
 * A live hold becomes a booking by an update of its row, which takes the booking's id. One that had
 * ended, or that its place has outgrown, is deleted, and then the booking's row is inserted, in the same
 * batch: the place is taken again if it is still free, and else the batch fails whole. Refreshing a hold
 * is an update of `expires_at` and `claimed_at`; moving a booking one of its times, `claimed_at`, staff
 * and resources. A cancelled booking's row is deleted.
 */
export const slotClaims = sqliteTable(
  "slot_claims",
  {
    /** The booking's id; of a hold its cart line's. */
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    kind: text("kind").$type<ClaimKind>().notNull(),
    serviceId: text("service_id")
      .notNull()
      .references(() => services.id),
    locationId: text("location_id").notNull(),
    staffId: text("staff_id").references(() => staff.id),
    /** `slot_claim_resources` follows it by itself. */
    resourceIds: document<readonly string[]>("resource_ids").notNull(),
    participants: integer("participants").notNull(),
    /** The places there are by the service or the variant that is booked. */
    capacity: integer("capacity").notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    /** The end and its buffer. */
    occupiedUntil: instant("occupied_until").notNull(),
    /** The writer's clock: holds that ended by then are in nobody's way. */
    claimedAt: instant("claimed_at").notNull(),
    /** A hold's end; null for a booking. */
    expiresAt: instant("expires_at"),
    /** Whose cart holds it; null for a booking. */
    sessionId: text("session_id"),
    /** A booking's order and line; null for a hold. */
    orderId: text("order_id"),
    orderLineId: text("order_line_id"),
  },
  (t) => [
    index("slot_claims_by_service").on(t.serviceId, t.businessId, t.locationId, ...counted(t)),
    index("slot_claims_by_staff")
      .on(t.staffId, t.businessId, ...counted(t), t.serviceId, t.locationId)
      .where(sql`staff_id is not null`),
    index("slot_claims_by_order").on(t.businessId, t.orderId).where(sql`order_id is not null`),
    index("slot_claims_expiring").on(t.expiresAt).where(sql`expires_at is not null`),
    check("slot_claims_kind", oneOf(t.kind, claimKinds)),
    check("slot_claims_participants", sql`participants > 0`),
    // Eight days (`longestClaim`): what is over by then need not be read to see who overlaps whom.
    check(
      "slot_claims_times",
      sql`starts_at < ends_at and ends_at <= occupied_until and occupied_until - starts_at <= 691200000`,
    ),
    check(
      "slot_claims_holder",
      sql`case kind when 'hold' then session_id is not null and expires_at is not null and expires_at > claimed_at and order_id is null
        else expires_at is null and order_id is not null and order_line_id is not null end`,
    ),
  ],
);

/** Which claims name a resource, and what counts of them; kept by triggers on `slot_claims`, and written by nothing else. */
export const slotClaimResources = sqliteTable(
  "slot_claim_resources",
  {
    claimId: text("claim_id")
      .notNull()
      .references(() => slotClaims.id, { onDelete: "cascade" }),
    resourceId: text("resource_id")
      .notNull()
      .references(() => resources.id),
    businessId: text("business_id").notNull(),
    participants: integer("participants").notNull(),
    startsAt: instant("starts_at").notNull(),
    occupiedUntil: instant("occupied_until").notNull(),
    expiresAt: instant("expires_at"),
  },
  (t) => [
    primaryKey({ columns: [t.claimId, t.resourceId] }),
    index("slot_claims_by_resource").on(t.resourceId, t.businessId, ...counted(t)),
  ],
);

/** The bookings of order lines; while one stands, `slot_claims` has a row of its id. */
export const bookings = sqliteTable(
  "bookings",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    orderId: text("order_id").notNull(),
    lineItemId: text("line_item_id").notNull(),
    serviceId: text("service_id")
      .notNull()
      .references(() => services.id),
    serviceName: text("service_name").notNull(),
    variantId: text("variant_id"),
    staffId: text("staff_id").references(() => staff.id),
    locationId: text("location_id").notNull(),
    startTime: instant("start_time").notNull(),
    endTime: instant("end_time").notNull(),
    participantCount: integer("participant_count").notNull(),
    status: text("status").$type<BookingStatus>().notNull(),
    customerId: text("customer_id"),
    cancelledAt: instant("cancelled_at"),
    cancellationReason: text("cancellation_reason"),
    /** Where it started before it was moved; null while it never was. */
    rescheduledFrom: instant("rescheduled_from"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Raised by each change, which names the one it started from. */
    version: integer("version").notNull(),
  },
  (t) => [
    uniqueIndex("bookings_by_line").on(t.orderId, t.lineItemId),
    index("bookings_by_start").on(t.businessId, t.startTime, t.id),
    index("bookings_by_status").on(t.businessId, t.status, t.startTime, t.id),
    index("bookings_by_service").on(t.serviceId, t.businessId, t.startTime, t.id),
    index("bookings_by_staff").on(t.staffId).where(sql`staff_id is not null`),
    index("bookings_by_customer").on(t.businessId, t.customerId, t.startTime, t.id),
    check("bookings_status", oneOf(t.status, bookingStatuses)),
    check("bookings_times", sql`start_time < end_time`),
    check("bookings_participants", sql`participant_count > 0`),
  ],
);
