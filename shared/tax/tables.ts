import { sql } from "drizzle-orm";
import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { flag, instant } from "../database/columns.ts";

/**
 * The tax classes that a business named. The class `standard` exists without a row. Triggers
 * (migrations/shop) keep the classes that products and rates have.
 */
export const taxClasses = sqliteTable(
  "tax_classes",
  {
    businessId: text("business_id").notNull(),
    code: text("code").notNull(),
    name: text("name").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.businessId, t.code] }),
    check("tax_classes_standard", sql`code <> 'standard' or archived_at is null`),
  ],
);

export const taxRates = sqliteTable(
  "tax_rates",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    taxClass: text("tax_class").notNull(),
    name: text("name").notNull(),
    country: text("country").notNull(),
    region: text("region"),
    postalCodePrefix: text("postal_code_prefix"),
    /** The keys by which names and places are compared; empty for a rate without the field. */
    nameKey: text("name_key").notNull(),
    regionKey: text("region_key").notNull(),
    postalKey: text("postal_key").notNull(),
    ratePercent: text("rate_percent").notNull(),
    appliesToDelivery: flag("applies_to_delivery").notNull(),
    isActive: flag("is_active").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    // Also finds the rates of a place without reading those of other places.
    uniqueIndex("tax_rates_of_place")
      .on(t.businessId, t.country, t.regionKey, t.postalKey, t.taxClass, t.nameKey)
      .where(sql`is_active = 1 and archived_at is null`),
    index("tax_rates_by_business").on(t.businessId, t.id),
    index("tax_rates_by_class").on(t.businessId, t.taxClass).where(sql`archived_at is null`),
    check("tax_rates_percent", sql`cast(rate_percent as real) between 0 and 100`),
  ],
);
