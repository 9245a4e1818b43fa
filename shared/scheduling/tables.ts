import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { products } from "../catalogue/tables.ts";
import { document, instant } from "../database/columns.ts";

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
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("services_by_business").on(t.businessId, t.id),
    check("services_duration", sql`duration_minutes > 0 and buffer_minutes >= 0 and capacity > 0`),
  ],
);
