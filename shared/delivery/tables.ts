import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "../businesses/index.ts";
import { document, flag, instant, minorUnits } from "../database/columns.ts";
import type { DeliveryPriceRule } from "./methods/delivery-method.ts";
import type { DeliveryArea } from "./zones/area.ts";

export const deliveryZones = sqliteTable(
  "delivery_zones",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    /** The areas as the merchant wrote them. Addresses are matched with `delivery_areas`. */
    areas: document<readonly DeliveryArea[]>("areas").notNull(),
    locationIds: document<readonly string[]>("location_ids"),
    isActive: flag("is_active").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [index("delivery_zones_in_order").on(t.businessId, t.id)],
);

/**
 * The areas of active zones, one row for each combination of a region and a postal prefix. The
 * primary key finds an address, and keeps two active zones from claiming the same area.
 */
export const deliveryAreas = sqliteTable(
  "delivery_areas",
  {
    businessId: text("business_id").notNull(),
    country: text("country").notNull(),
    /** Without spaces and in upper case; empty for the whole country. */
    region: text("region").notNull(),
    /** Without spaces and in upper case; empty for every postal code. */
    postalPrefix: text("postal_prefix").notNull(),
    zoneId: text("zone_id")
      .notNull()
      .references(() => deliveryZones.id),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.country, t.postalPrefix, t.region] }),
    index("delivery_areas_of_zone").on(t.zoneId),
  ],
);

export const deliveryMethods = sqliteTable(
  "delivery_methods",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    zoneId: text("zone_id")
      .notNull()
      .references(() => deliveryZones.id),
    name: text("name").notNull(),
    description: text("description").notNull(),
    price: document<DeliveryPriceRule>("price").notNull(),
    freeOverMinor: minorUnits("free_over_minor"),
    minDays: integer("min_days"),
    maxDays: integer("max_days"),
    paymentMethods: document<readonly PaymentMethod[]>("payment_methods"),
    sortOrder: integer("sort_order").notNull(),
    isActive: flag("is_active").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("delivery_methods_in_order").on(t.businessId, t.id),
    index("delivery_methods_of_zone").on(t.zoneId),
    index("delivery_methods_active")
      .on(t.businessId, t.zoneId)
      .where(sql`is_active = 1 and archived_at is null`),
  ],
);
