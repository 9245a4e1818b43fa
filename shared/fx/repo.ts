import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { type Context, type Db, unfenced, type Write } from "../database/index.ts";
import { day } from "../kernel/index.ts";
import type { FxQuote } from "./fx-quote.ts";
import { fxQuotes } from "./tables.ts";

/** How long an unused quote is kept behind its end. */
const keptMs = day;

type FxQuoteRow = typeof fxQuotes.$inferSelect;

/** What the domain knows of a row. */
const { businessId: _, ...storedFields } = getTableColumns(fxQuotes);

/** The FX quotes of one business: there is no way to ask for another's. */
export function fxQuoteRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /** A query for a quote, expired and used ones too until they are purged. */
    query: (id: string) =>
      db
        .select(storedFields)
        .from(fxQuotes)
        .where(and(eq(fxQuotes.id, id), sql`+${fxQuotes.businessId} = ${business.id}`)),

    insert: (quote: FxQuote): Write => db.insert(fxQuotes).values(rowOf(quote)),

    /**
     * Marks the quote as the order's, in the order's batch, which fails (`fx_quotes_used_once`) when
     * it is another's; repeated for its own order it changes nothing. A quote that was never stored,
     * or was purged since it was planned with, comes in with it.
     */
    claim: (quote: FxQuote, orderId: string): Write =>
      db
        .insert(fxQuotes)
        .values({ ...rowOf(quote), usedByOrderId: orderId })
        .onConflictDoUpdate({
          target: fxQuotes.id,
          set: {
            usedByOrderId: sql`case when ${fxQuotes.businessId} = ${business.id}
              and coalesce(${fxQuotes.usedByOrderId}, ${orderId}) = ${orderId}
              then ${orderId} else '' end`,
          },
        }),
  };

  function rowOf(quote: FxQuote): Omit<FxQuoteRow, "usedByOrderId"> {
    const { id, from, to, amountMinor, rate, convertedMinor, createdAt, expiresAt } = quote;
    const figures = { amountMinor, rate, convertedMinor };
    return { id, businessId: business.id, from, to, ...figures, createdAt, expiresAt };
  }
}

const purgedAtOnce = 5_000;

/** Deletes some of the quotes that expired unused more than 24 hours ago; for cron, which comes again for the rest. */
export const purgeFxQuotes = (db: Db, now: number): Write =>
  db.delete(fxQuotes).where(
    sql`rowid in (select rowid from ${fxQuotes} where ${fxQuotes.usedByOrderId} is null and ${fxQuotes.expiresAt} <= ${now - keptMs}
        and ${unfenced(fxQuotes.businessId)} limit ${purgedAtOnce})`,
  );
