import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { instant, minorUnits } from "../database/columns.ts";

/**
 * Rates locked for 5 minutes. A used quote stays, because it documents the rate its order was paid
 * at.
 */
export const fxQuotes = sqliteTable(
  "fx_quotes",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    from: text("from_currency").notNull(),
    to: text("to_currency").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    /** Decimal text, so that it is never converted to floating point. */
    rate: text("rate").notNull(),
    convertedMinor: minorUnits("converted_minor").notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedByOrderId: text("used_by_order_id"),
  },
  (t) => [
    uniqueIndex("fx_quotes_by_order").on(t.usedByOrderId).where(sql`used_by_order_id is not null`),
    index("fx_quotes_unused").on(t.expiresAt).where(sql`used_by_order_id is null`),
    check("fx_quotes_amounts", sql`amount_minor >= 0 and converted_minor >= 0`),
    // A claim by a second order writes an empty id; this constraint then rejects the whole batch.
    check("fx_quotes_used_once", sql`used_by_order_id <> ''`),
  ],
);
