import { and, eq, getTableColumns, gt, not, sql } from "drizzle-orm";
import type { Context, Db, Write } from "../database/index.ts";
import { day } from "../kernel/index.ts";
import type { FxQuote } from "./fx-quote.ts";
import { fxQuotes } from "./tables.ts";

/** How long a key is remembered, and an unused quote kept behind its end (completions.md 6). */
const keptMs = day;

/** Whose Idempotency-Key it is, and the key. */
export type RepeatKey = Readonly<{ caller: string; key: string }>;

type FxQuoteRow = typeof fxQuotes.$inferSelect;

/** What the domain knows of a row. */
const {
  businessId: _,
  caller: __,
  idempotencyKey: ___,
  ...storedFields
} = getTableColumns(fxQuotes);

/** The FX quotes of one business: there is no way to ask for another's. */
export function fxQuoteRepo({ db, business, now }: Pick<Context, "db" | "business" | "now">) {
  const withKey = ({ caller, key }: RepeatKey) =>
    and(
      eq(fxQuotes.businessId, business.id),
      eq(fxQuotes.caller, caller),
      eq(fxQuotes.idempotencyKey, key),
    );
  const stillKept = () => gt(fxQuotes.createdAt, now() - keptMs);
  const keyed = (repeat: RepeatKey) =>
    db
      .select(storedFields)
      .from(fxQuotes)
      .where(and(withKey(repeat), stillKept()));

  return {
    /** A query for a quote, expired and used ones too until they are purged. */
    query: (id: string) =>
      db
        .select(storedFields)
        .from(fxQuotes)
        .where(and(eq(fxQuotes.id, id), sql`+${fxQuotes.businessId} = ${business.id}`)),

    /** The quote that this key made within the last 24 hours. */
    async findByKey(repeat: RepeatKey): Promise<FxQuote | null> {
      const [row] = await keyed(repeat);
      return row ?? null;
    },

    insert: (quote: FxQuote): Write => db.insert(fxQuotes).values(rowOf(quote)),

    /**
     * One round trip: keeps the quote under its key, which an older quote than 24 hours gives up, and
     * answers with the one that stands there: of two requests at once both get the first's.
     */
    async insertOnce(quote: FxQuote, repeat: RepeatKey): Promise<FxQuote> {
      const { caller, key } = repeat;
      const [, , rows] = await db.batch([
        db
          .update(fxQuotes)
          .set({ caller: null, idempotencyKey: null })
          .where(and(withKey(repeat), not(stillKept()))),
        db
          .insert(fxQuotes)
          .values({ ...rowOf(quote), caller, idempotencyKey: key })
          .onConflictDoNothing(),
        keyed(repeat),
      ]);
      const [row] = rows;
      return row ?? quote;
    },

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

  function rowOf(quote: FxQuote): Omit<FxQuoteRow, "usedByOrderId" | "caller" | "idempotencyKey"> {
    const { id, from, to, amountMinor, rate, convertedMinor, createdAt, expiresAt } = quote;
    const figures = { amountMinor, rate, convertedMinor };
    return { id, businessId: business.id, from, to, ...figures, createdAt, expiresAt };
  }
}

const purgedAtOnce = 5_000;

/** Deletes some of the quotes that expired unused more than 24 hours ago; for cron, which comes again for the rest. */
export const purgeFxQuotes = (db: Db, now: number): Write =>
  db
    .delete(fxQuotes)
    .where(
      sql`rowid in (select rowid from ${fxQuotes} where ${fxQuotes.usedByOrderId} is null and ${fxQuotes.expiresAt} <= ${now - keptMs} limit ${purgedAtOnce})`,
    );
