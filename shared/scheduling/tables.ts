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
import { document, flag, instant, oneOf } from "../database/columns.ts";
import { type BookingStatus, bookingStatuses } from "./bookings/booking.ts";
import { type SlotAllocationKind, slotAllocationKinds } from "./slots/slot-allocation.ts";
import type { StaffMember } from "./staff/staff.ts";

/** What makes a product bookable. Name, price and variants are fields of the product. */
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
    /** Whether only a customer who is logged in, and so has a verified contact, may book it. */
    requiresVerifiedContact: flag("requires_verified_contact").notNull().default(false),
    /** The ids of the staff who provide the service; empty when it needs no staff. */
    staffIds: document<readonly string[]>("staff_ids").notNull().default([]),
    /** The ids of the resources that the service needs. Each participant uses one unit of each. */
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
    /** Working hours. Null means the opening hours of the location. */
    hours: document<NonNullable<StaffMember["hours"]>>("hours"),
    timeOff: document<StaffMember["timeOff"]>("time_off").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    archivedAt: instant("archived_at"),
  },
  (t) => [index("staff_by_business").on(t.businessId, t.id).where(sql`archived_at is null`)],
);

/**
 * Rooms and machines. The capacity limits the participants at the same time, in all services
 * together.
 */
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

/**
 * The columns that the occupancy is computed from. The indexes contain them, so that SQLite reads
 * only the index.
 */
const occupancyColumns = (
  t: Record<"startsAt" | "occupiedUntil" | "expiresAt" | "participants", AnySQLiteColumn>,
) => [t.startsAt, t.occupiedUntil, t.expiresAt, t.participants] as const;

/**
 * Slot allocations. Each row is a time that a hold of a cart line or a booking occupies. Two rows
 * overlap when their ranges from `starts_at` to `occupied_until` (buffers included) overlap. A row
 * that is written is compared with the live rows: bookings, and holds that expire after its
 * `claimed_at`.
 *
 * Triggers (in migrations/shop) check every written row. They abort the batch with one of these
 * names in the error text, which `slotConflictRefusals` maps to refusals:
 *
 * - `slot_over_capacity`: the overlapping live rows of the same service and location, together with
 *   the written row, have more participants than the written row's `capacity`.
 * - `slot_staff_taken`: the staff member has an overlapping live row of another session. A session
 *   is one service, location and start.
 * - `slot_resource_taken`: the overlapping live rows that use one of the row's resources, together
 *   with the written row, have more participants than the resource's capacity.
 *
 * The triggers run inside the write, so that of two concurrent writers of the last slot the second
 * fails. No lock and no earlier check is needed. A row is never compared with itself, so a write
 * may be repeated with `on conflict (id) do update`. An update that asks for no more than the
 * stored row is always allowed, because the other rows may have been accepted under a higher
 * capacity.
 *
 * A booking takes over a live hold: the row is updated and gets the booking's id. A hold that has
 * expired or is too small is deleted instead, and the same batch inserts a row for the booking.
 * Renewing a hold updates `expires_at` and `claimed_at`. Rescheduling updates the times,
 * `claimed_at`, staff and resources. Cancelling deletes the row.
 */
export const slotClaims = sqliteTable(
  "slot_claims",
  {
    /** The booking's id. For a hold, an id derived from the cart line. */
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    kind: text("kind").$type<SlotAllocationKind>().notNull(),
    serviceId: text("service_id")
      .notNull()
      .references(() => services.id),
    locationId: text("location_id").notNull(),
    staffId: text("staff_id").references(() => staff.id),
    /** The ids of the resources. Triggers copy them to `slot_claim_resources`. */
    resourceIds: document<readonly string[]>("resource_ids").notNull(),
    participants: integer("participants").notNull(),
    /** The capacity of the booked variant, or of the service. */
    capacity: integer("capacity").notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    /**
     * The end of the slot plus the service's buffer. Staff and resources are occupied until then.
     */
    occupiedUntil: instant("occupied_until").notNull(),
    /**
     * The time of the write. Holds that have expired by then do not count when capacity is checked.
     */
    claimedAt: instant("claimed_at").notNull(),
    /** When a hold expires; null for a booking. */
    expiresAt: instant("expires_at"),
    /** The session whose cart holds the slot; null for a booking. */
    sessionId: text("session_id"),
    /** The order and line of the booking; both null for a hold. */
    orderId: text("order_id"),
    orderLineId: text("order_line_id"),
    /** A digest of the network of the session that holds the slot; null for a booking. */
    addressDigest: text("address_digest"),
  },
  (t) => [
    index("slot_claims_by_service").on(
      t.serviceId,
      t.businessId,
      t.locationId,
      ...occupancyColumns(t),
    ),
    index("slot_claims_by_staff")
      .on(t.staffId, t.businessId, ...occupancyColumns(t), t.serviceId, t.locationId)
      .where(sql`staff_id is not null`),
    index("slot_claims_by_order").on(t.businessId, t.orderId).where(sql`order_id is not null`),
    index("slot_claims_by_session").on(t.sessionId).where(sql`session_id is not null`),
    index("slot_claims_by_address").on(t.addressDigest).where(sql`address_digest is not null`),
    index("slot_claims_expiring").on(t.expiresAt).where(sql`expires_at is not null`),
    check("slot_claims_kind", oneOf(t.kind, slotAllocationKinds)),
    check("slot_claims_participants", sql`participants > 0`),
    // At most 8 days (`maxSlotAllocationMs`), which limits how far back a search for overlapping
    // rows starts.
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

/**
 * The resources of each slot allocation, with copies of the columns that are needed for sums. Only
 * the triggers of `slot_claims` write this table.
 */
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
    index("slot_claims_by_resource").on(t.resourceId, t.businessId, ...occupancyColumns(t)),
  ],
);

/**
 * The participants of all slot allocations with the same service, location, start, end and expiry,
 * so that reading the slots of a service does not take longer the more participants each slot has.
 * Only the triggers of `slot_claims` write this table. It is WITHOUT ROWID.
 */
export const occupiedRanges = sqliteTable(
  "occupied_ranges",
  {
    businessId: text("business_id").notNull(),
    serviceId: text("service_id").notNull(),
    locationId: text("location_id").notNull(),
    startsAt: instant("starts_at").notNull(),
    occupiedUntil: instant("occupied_until").notNull(),
    /** When the holds expire; 0 for bookings. */
    expiresAt: instant("expires_at").notNull(),
    participants: integer("participants").notNull(),
  },
  (t) => [
    primaryKey({
      columns: [t.businessId, t.serviceId, t.locationId, t.startsAt, t.occupiedUntil, t.expiresAt],
    }),
    check("occupied_ranges_participants", sql`participants > 0`),
  ],
);

/** The bookings of order lines. An active booking has a row in `slot_claims` with the same id. */
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
    /** The start time before the last reschedule; null when the booking was never rescheduled. */
    rescheduledFrom: instant("rescheduled_from"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Raised by every change of the booking. */
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
