import { and, eq, sql } from "drizzle-orm";
import { ownRow } from "../catalogue/index.ts";
import type { Context, Db, Write } from "../database/index.ts";
import { type Quote, refreshableMs } from "./quote.ts";
import { priceQuotes } from "./tables.ts";

/** The quotes of one business: there is no way to ask for another's. */
export function quoteRepo({ db, business }: Pick<Context, "db" | "business">) {
  return {
    /** Expired ones too, until they are purged. */
    async find(id: string): Promise<Quote | null> {
      const row = await db
        .select()
        .from(priceQuotes)
        .where(and(eq(priceQuotes.id, id), ownRow(priceQuotes.businessId, business)))
        .get();
      return row ? fromRow(row) : null;
    },

    /** A new quote, or the new numbers of one that was read from here. */
    save(quote: Quote): Write {
      const row = { ...toRow(quote), businessId: business.id };
      return db
        .insert(priceQuotes)
        .values(row)
        .onConflictDoUpdate({
          target: priceQuotes.id,
          set: row,
          setWhere: eq(priceQuotes.businessId, business.id),
        });
    },
  };
}

const purgedAtOnce = 5_000;

/** Deletes some of the quotes that cannot be refreshed any more; for cron, which comes again for the rest. */
export const purgeQuotes = (db: Db, now: number): Write =>
  db
    .delete(priceQuotes)
    .where(
      sql`rowid in (select rowid from ${priceQuotes} where ${priceQuotes.expiresAt} <= ${now - refreshableMs} limit ${purgedAtOnce})`,
    );

type Row = typeof priceQuotes.$inferSelect;

function toRow(quote: Quote): Omit<Row, "businessId"> {
  const { addOnOptionIds, bundleSelections, compositeSelections, ...rest } = quote;
  return { ...rest, selections: { addOnOptionIds, bundleSelections, compositeSelections } };
}

function fromRow({ businessId: _, selections, ...row }: Row): Quote {
  return { ...row, ...selections };
}
