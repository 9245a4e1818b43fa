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
import { type BookingStatus, bookingStatuses } from "./bookings/booking.ts";
import { type SlotAllocationKind, slotAllocationKinds } from "./slots/slot-allocation.ts";
import type { StaffMember } from "./staff/staff.ts";

/** What makes a product bookable; the product has the name, the price and the variants. */
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
    /** The staff who provide it; empty when it needs none. */
    staffIds: document<readonly string[]>("staff_ids").notNull().default([]),
    /** The resources it needs; each participant uses one unit of each. */
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
    /** Working hours; null for the opening hours of the location. */
    hours: document<NonNullable<StaffMember["hours"]>>("hours"),
    timeOff: document<StaffMember["timeOff"]>("time_off").notNull(),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    archivedAt: instant("archived_at"),
  },
  (t) => [index("staff_by_business").on(t.businessId, t.id).where(sql`archived_at is null`)],
);

/** A room or a machine; its capacity limits the participants at the same time, over all services. */
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

/** The columns that occupancy is computed from. Indexes include them so that the table is not read. */
const occupancyColumns = (
  t: Record<"startsAt" | "occupiedUntil" | "expiresAt" | "participants", AnySQLiteColumn>,
) => [t.startsAt, t.occupiedUntil, t.expiresAt, t.participants] as const;

/**
 * Slot allocations: each row is time occupied by the hold of a cart line or by a booking. Two rows
 * overlap when their ranges from `starts_at` up to `occupied_until` (buffers included) do. For a row
 * that is being written, another row is live when it is a booking, or a hold whose `expires_at` is
 * later than the written row's `claimed_at`.
 *
 * Triggers (in migrations/shop) check every written row and abort the whole batch with one of these
 * names in the error text, which `slotConflictRefusals` maps to refusals:
 *
 * - `slot_over_capacity`: the participants of the live rows of the same service and location that
 *   overlap it, plus its own, exceed its `capacity`.
 * - `slot_staff_taken`: its staff member has an overlapping live row of another session. A session is
 *   one service, location and start.
 * - `slot_resource_taken`: the participants of the overlapping live rows that use one of its resources,
 *   plus its own, exceed that resource's capacity.
 *
 * The triggers run inside the write, so no check before it and no lock is needed: of two writers of the
 * last slot one fails. A row is never compared with itself, so a write may be repeated with
 * `on conflict (id) do update`. An update that asks for no more than the row already has is not refused,
 * because its neighbours may have been accepted against a smaller sum.
 *
 * A booking takes over a live hold by updating its row, which also gets the booking's id. A hold that
 * has expired or is too small is deleted, and the booking's row is inserted in the same batch, which
 * fails as a whole when the slot is no longer free. Renewing a hold updates `expires_at` and
 * `claimed_at`; rescheduling updates the times, `claimed_at`, staff and resources; cancelling deletes
 * the row.
 */
export const slotClaims = sqliteTable(
  "slot_claims",
  {
    /** The booking's id; for a hold, an id derived from its cart line. */
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    kind: text("kind").$type<SlotAllocationKind>().notNull(),
    serviceId: text("service_id")
      .notNull()
      .references(() => services.id),
    locationId: text("location_id").notNull(),
    staffId: text("staff_id").references(() => staff.id),
    /** Triggers copy it to `slot_claim_resources`. */
    resourceIds: document<readonly string[]>("resource_ids").notNull(),
    participants: integer("participants").notNull(),
    /** The capacity of the service or of the booked variant. */
    capacity: integer("capacity").notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    /**
     * The end of the slot plus the service's buffer, until when staff and resources are occupied.
     */
    occupiedUntil: instant("occupied_until").notNull(),
    /** The time of the write; holds that expired by then do not count against this row. */
    claimedAt: instant("claimed_at").notNull(),
    /** When a hold expires; null for a booking. */
    expiresAt: instant("expires_at"),
    /** The session whose cart holds the slot; null for a booking. */
    sessionId: text("session_id"),
    /** The order and line of a booking; null for a hold. */
    orderId: text("order_id"),
    orderLineId: text("order_line_id"),
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
    index("slot_claims_expiring").on(t.expiresAt).where(sql`expires_at is not null`),
    check("slot_claims_kind", oneOf(t.kind, slotAllocationKinds)),
    check("slot_claims_participants", sql`participants > 0`),
    // At most 8 days (`maxSlotAllocationMs`), so that overlap queries scan a bounded range of starts.
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

/** The resources of each slot allocation, with the columns that are summed. Only triggers on `slot_claims` write it. */
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

/** The bookings of order lines; an active one has a row in `slot_claims` with the same id. */
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
    /** The previous start time; null when it was never rescheduled. */
    rescheduledFrom: instant("rescheduled_from"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    /** Raised by every change. */
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
