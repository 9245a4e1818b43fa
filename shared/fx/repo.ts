import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { type Context, type Db, type DueRows, isUnfenced, type Write } from "../database/index.ts";
import { day } from "../kernel/index.ts";
import type { FxQuote } from "./fx-quote.ts";
import { fxQuotes } from "./tables.ts";

/** How long a quote that no order used is stored after it has expired. */
const unusedQuoteRetentionMs = day;

type FxQuoteRow = typeof fxQuotes.$inferSelect;

/** All columns except the business. */
const { businessId: _, ...storedFields } = getTableColumns(fxQuotes);

/** The FX quotes of one business. */
export function fxQuoteRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /** Selects a quote. Expired and used quotes are found until they are purged. */
    query: (id: string) =>
      db
        .select(storedFields)
        .from(fxQuotes)
        .where(and(eq(fxQuotes.id, id), sql`+${fxQuotes.businessId} = ${business.id}`)),

    insert: (quote: FxQuote): Write => db.insert(fxQuotes).values(toRow(quote)),

    /**
     * Assigns a quote to an order, in the order's batch; inserts the quote when it is not stored.
     * The batch fails on `fx_quotes_used_once` when another order uses the quote. Repeating it for
     * the same order changes nothing.
     */
    claim: (quote: FxQuote, orderId: string): Write =>
      db
        .insert(fxQuotes)
        .values({ ...toRow(quote), usedByOrderId: orderId })
        .onConflictDoUpdate({
          target: fxQuotes.id,
          set: {
            usedByOrderId: sql`case when ${fxQuotes.businessId} = ${business.id}
              and coalesce(${fxQuotes.usedByOrderId}, ${orderId}) = ${orderId}
              then ${orderId} else '' end`,
          },
        }),
  };

  function toRow(quote: FxQuote): Omit<FxQuoteRow, "usedByOrderId"> {
    const { id, from, to, amountMinor, rate, convertedMinor, createdAt, expiresAt } = quote;
    const figures = { amountMinor, rate, convertedMinor };
    return { id, businessId: business.id, from, to, ...figures, createdAt, expiresAt };
  }
}

const purgeBatchSize = 5_000;

/** The quotes that `purgeFxQuotes` deletes. */
export const unusedFxQuotes: DueRows = {
  table: fxQuotes,
  since: fxQuotes.expiresAt,
  afterMs: unusedQuoteRetentionMs,
  condition: sql`used_by_order_id is null`,
  businessId: fxQuotes.businessId,
};

/**
 * Deletes a limited number of quotes that expired unused more than 24 hours ago. A cron job repeats
 * it until none are left.
 */
export const purgeFxQuotes = (db: Db, now: number): Write =>
  db.delete(fxQuotes).where(
    sql`rowid in (select rowid from ${fxQuotes} where ${fxQuotes.usedByOrderId} is null and ${fxQuotes.expiresAt} <= ${now - unusedQuoteRetentionMs}
        and ${isUnfenced(fxQuotes.businessId)} limit ${purgeBatchSize})`,
  );
