import { and, eq, type SQL, sql } from "drizzle-orm";
import { productRepo, productSnapshotQuery, productsFromSnapshot } from "../catalogue/index.ts";
import {
  type Context,
  type Db,
  type DueRows,
  isRowOfBusiness,
  isUnfenced,
  type Write,
} from "../database/index.ts";
import { notFound, Refusal } from "../kernel/index.ts";
import { type ProductSet, withDefaultQuantities } from "../pricing/index.ts";
import {
  isExpired,
  priceQuote,
  type Quote,
  quoteRefreshWindowMs,
  type UnpricedQuote,
} from "./quote.ts";
import { priceQuotes } from "./tables.ts";

type PriceQuoteRow = typeof priceQuotes.$inferSelect;

/** The quotes of one business. */
export function quoteRepo({ db, business }: Pick<Context, "db" | "business">) {
  const isOwn = (id: string) =>
    and(eq(priceQuotes.id, id), isRowOfBusiness(priceQuotes.businessId, business));

  /** A query for a quote by id. Also finds an expired quote until it is purged. */
  const queryById = (id: string) => db.select().from(priceQuotes).where(isOwn(id));

  return {
    /** @throws Refusal NOT_FOUND for an unknown or expired quote. */
    async get(id: string, now: number): Promise<Quote> {
      const quote = toQuote(await queryById(id));
      if (!quote || isExpired(quote, now)) throw notFound("quote");
      return quote;
    },

    /** A query for quotes by id. Expired quotes are included. `toQuotesById` reads the rows. */
    queryByIds: (ids: readonly string[]) =>
      db
        .select()
        .from(priceQuotes)
        .where(
          and(
            sql`${priceQuotes.id} in (select value from json_each(${JSON.stringify(ids)}))`,
            isRowOfBusiness(priceQuotes.businessId, business),
          ),
        ),

    /**
     * Reads a quote and a product with its components, in one round trip. The product is
     * `productId`, or the quote's own product when undefined.
     */
    async findWithProducts(
      id: string,
      productId?: string,
    ): Promise<{ quote: Quote | null; products: ProductSet }> {
      const quotedProductId = sql`select ${priceQuotes.productId} from ${priceQuotes} where ${isOwn(id)}`;
      const productIdQuery = productId === undefined ? quotedProductId : sql`select ${productId}`;
      const { products, prefetched } = await productRepo({ db, business }).findByQuery(
        productIdQuery,
        () => queryById(id),
      );
      return {
        quote: toQuote(prefetched ?? []),
        products: new Map(products.map((product) => [product.id, product])),
      };
    },

    /**
     * Inserts a quote with a snapshot of its products instead of a price; each read computes the
     * price. Inserts nothing when the snapshot is too large for a row. The caller then stores the
     * priced quote.
     */
    insertUnpricedQuote(unpriced: UnpricedQuote) {
      const { id, productId, variantId, locationId, quantity, currency, expiresAt } = unpriced;
      const selections = JSON.stringify(selectionsOf(unpriced));
      const { snapshot, fitsSizeLimit } = productSnapshotQuery(business, productId);
      return db.insert(priceQuotes).select(
        sql`select ${id}, ${business.id}, ${productId}, ${variantId}, ${locationId}, ${quantity},
          ${selections}, 0, ${currency}, '[]', ${expiresAt}, (${snapshot}) where ${fitsSizeLimit}`,
      );
    },

    remove: (id: string): Write => db.delete(priceQuotes).where(isOwn(id)),

    /** Inserts a quote, or updates an existing one. */
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

/** The condition that quotes were not refreshed since; every refresh changes when they expire. */
export const quotesUnchanged = (
  business: { id: string },
  read: readonly Readonly<{ quoteId: string; expiresAt: number }>[],
): SQL =>
  sql`(select count(*) from json_each(${JSON.stringify(read)}) as expected
    cross join ${priceQuotes} on ${priceQuotes.id} = expected.value ->> 'quoteId'
    where ${isRowOfBusiness(priceQuotes.businessId, business)}
      and ${priceQuotes.expiresAt} = expected.value ->> 'expiresAt') = ${read.length}`;

const purgeBatchSize = 5_000;

/** The quotes that `purgeQuotes` deletes. */
export const expiredQuotes: DueRows = {
  table: priceQuotes,
  since: priceQuotes.expiresAt,
  afterMs: quoteRefreshWindowMs,
  businessId: priceQuotes.businessId,
};

/** Deletes one batch of quotes that can no longer be refreshed. Cron repeats the call. */
export const purgeQuotes = (db: Db, now: number): Write =>
  db.delete(priceQuotes).where(
    sql`rowid in (select rowid from ${priceQuotes} where ${priceQuotes.expiresAt} <= ${now - quoteRefreshWindowMs}
        and ${isUnfenced(priceQuotes.businessId)} limit ${purgeBatchSize})`,
  );

const selectionsOf = ({
  addOnOptionIds,
  bundleSelections,
  compositeSelections,
}: UnpricedQuote) => ({
  addOnOptionIds,
  bundleSelections,
  compositeSelections,
});

function toRow(quote: Quote): Omit<PriceQuoteRow, "businessId"> {
  const { addOnOptionIds, bundleSelections, compositeSelections, ...rest } = quote;
  return { ...rest, selections: selectionsOf(quote), pricedBy: null };
}

/** The quotes of these rows, by id. A stored quote that cannot be priced counts as missing. */
export const toQuotesById = (rows: readonly PriceQuoteRow[]): ReadonlyMap<string, Quote> =>
  new Map(rows.flatMap((row) => toQuote([row]) ?? []).map((quote) => [quote.id, quote]));

/** The quote of the first row, or null. A stored quote that cannot be priced counts as missing. */
function toQuote([row]: readonly PriceQuoteRow[]): Quote | null {
  if (!row) return null;
  const { businessId: _, selections, pricedBy, ...rest } = row;
  const bundleSelections = withDefaultQuantities(null, selections.bundleSelections);
  if (pricedBy === null) return { ...rest, ...selections, bundleSelections };
  try {
    return priceQuote(productsFromSnapshot(pricedBy), { ...rest, ...selections });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
