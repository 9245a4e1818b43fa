import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant, minorUnits, oneOf } from "../../database/columns.ts";
import { type PlanInterval, planIntervals } from "./billing-plan.ts";

export const billingPlans = sqliteTable(
  "billing_plans",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").notNull(),
    interval: text("interval").$type<PlanInterval>().notNull(),
    intervalCount: integer("interval_count").notNull(),
    priceMinor: minorUnits("price_minor").notNull(),
    trialDays: integer("trial_days").notNull(),
    minQuantity: integer("min_quantity").notNull(),
    minOrderValueMinor: minorUnits("min_order_value_minor").notNull(),
    archivedAt: instant("archived_at"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [
    index("billing_plans_by_business").on(t.businessId, t.id),
    check("billing_plans_interval", oneOf(t.interval, planIntervals)),
    check("billing_plans_amounts", sql`price_minor >= 0 and min_order_value_minor >= 0`),
    check("billing_plans_counts", sql`interval_count > 0 and trial_days >= 0 and min_quantity > 0`),
  ],
);
