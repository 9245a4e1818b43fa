import { and, eq, sql } from "drizzle-orm";
import { ownRow, productRepo, productsOf, snapshotOf } from "../catalogue/index.ts";
import { type Context, type Db, unfenced, type Write } from "../database/index.ts";
import { Refusal } from "../kernel/index.ts";
import { type ProductSet, settledSelections } from "../pricing/index.ts";
import { type Promised, pricedQuote } from "./price-quote.ts";
import { type Quote, refreshableMs } from "./quote.ts";
import { priceQuotes } from "./tables.ts";

type Row = typeof priceQuotes.$inferSelect;

/** The quotes of one business: there is no way to ask for another's. */
export function quoteRepo({ db, business }: Pick<Context, "db" | "business">) {
  const own = (id: string) => and(eq(priceQuotes.id, id), ownRow(priceQuotes.businessId, business));

  /** Expired ones too, until they are purged. */
  const byId = (id: string) => db.select().from(priceQuotes).where(own(id));

  return {
    async find(id: string): Promise<Quote | null> {
      return quoteIn(await byId(id));
    },

    /** Those of the ids that are there, expired ones too; `quotesIn` reads the rows. */
    byIds: (ids: readonly string[]) =>
      db
        .select()
        .from(priceQuotes)
        .where(
          and(
            sql`${priceQuotes.id} in (select value from json_each(${JSON.stringify(ids)}))`,
            ownRow(priceQuotes.businessId, business),
          ),
        ),

    /** The quote and, in the same round trip, its product with its components, or another product's. */
    async findWithProducts(
      id: string,
      productId?: string,
    ): Promise<{ quote: Quote | null; products: ProductSet }> {
      const quoted = sql`select ${priceQuotes.productId} from ${priceQuotes} where ${own(id)}`;
      const chosen = productId === undefined ? quoted : sql`select ${productId}`;
      const { products, companion } = await productRepo({ db, business }).findChosen(chosen, () =>
        byId(id),
      );
      return {
        quote: quoteIn(companion ?? []),
        products: new Map(products.map((product) => [product.id, product])),
      };
    },

    /**
     * A new quote that is priced when it is read, by its products as they stand in this statement.
     * Nothing is written where they are too long to be kept with it.
     */
    insertUnpriced(promised: Promised) {
      const { id, productId, variantId, locationId, quantity, currency, expiresAt } = promised;
      const selections = JSON.stringify(selectionsOf(promised));
      const { snapshot, isShort } = snapshotOf(business, productId);
      return db.insert(priceQuotes).select(
        sql`select ${id}, ${business.id}, ${productId}, ${variantId}, ${locationId}, ${quantity},
          ${selections}, 0, ${currency}, '[]', ${expiresAt}, (${snapshot}) where ${isShort}`,
      );
    },

    remove: (id: string): Write => db.delete(priceQuotes).where(own(id)),

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
  db.delete(priceQuotes).where(
    sql`rowid in (select rowid from ${priceQuotes} where ${priceQuotes.expiresAt} <= ${now - refreshableMs}
        and ${unfenced(priceQuotes.businessId)} limit ${purgedAtOnce})`,
  );

const selectionsOf = ({ addOnOptionIds, bundleSelections, compositeSelections }: Promised) => ({
  addOnOptionIds,
  bundleSelections,
  compositeSelections,
});

function toRow(quote: Quote): Omit<Row, "businessId"> {
  const { addOnOptionIds, bundleSelections, compositeSelections, ...rest } = quote;
  return { ...rest, selections: selectionsOf(quote), pricedBy: null };
}

/** The quotes of rows, by id; one that was refused when it was made is none. */
export const quotesIn = (rows: readonly Row[]): ReadonlyMap<string, Quote> =>
  new Map(rows.flatMap((row) => quoteIn([row]) ?? []).map((quote) => [quote.id, quote]));

/** The quote of the rows that `byId` read; one that was refused when it was made is none. */
function quoteIn([row]: readonly Row[]): Quote | null {
  if (!row) return null;
  const { businessId: _, selections, pricedBy, ...rest } = row;
  const bundleSelections = settledSelections(null, selections.bundleSelections);
  if (pricedBy === null) return { ...rest, ...selections, bundleSelections };
  try {
    return pricedQuote(productsOf(pricedBy), { ...rest, ...selections });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
