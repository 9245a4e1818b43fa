import { sql } from "drizzle-orm";
import { check, index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { instant, minorUnits } from "../database/columns.ts";

/**
 * FX quotes, which lock a rate for 5 minutes. A used quote is not deleted, because it documents the
 * rate at which its order was paid.
 */
export const fxQuotes = sqliteTable(
  "fx_quotes",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    from: text("from_currency").notNull(),
    to: text("to_currency").notNull(),
    amountMinor: minorUnits("amount_minor").notNull(),
    /** The rate as decimal text, so that it is never converted to floating point. */
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
    // When a second order claims the quote, an empty id is written, so that this constraint fails
    // the batch.
    check("fx_quotes_used_once", sql`used_by_order_id <> ''`),
  ],
);
