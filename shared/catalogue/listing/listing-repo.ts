import { and, asc, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import { versionQuery } from "../product-repo.ts";
import { categories, products } from "../tables.ts";
import type { ListedProduct, ListQuery, PageStart, Position, ProductSort } from "./listing.ts";
import { inBranch, matching, priceAt, visible } from "./product-filter-repo.ts";
import { searchExpressions } from "./product-search.ts";

/** What was read, and the version of the catalogue that it was read at. */
export type AtVersion<T> = Readonly<{ version: number; data: T }>;

export type ListPage = Readonly<{
  items: readonly ListedProduct[];
  /** Where the next page starts; null on the last one. */
  next: Position | null;
}>;

export type OffsetPage = Readonly<{ items: readonly ListedProduct[]; total: number }>;

export type CatalogueReader = Readonly<{ db: Db; business: { id: string } }>;

/** The number that every catalogue write raises; 0 before the first. */
export async function readVersion({ db, business }: CatalogueReader): Promise<number> {
  const [read] = await versionQuery(db, business.id);
  return read?.version ?? 0;
}

/** The public's lists of one business: active products alone, each call one round trip. */
export function listingRepo({ db, business }: CatalogueReader) {
  const version = () => versionQuery(db, business.id);

  return {
    async list(query: ListQuery): Promise<AtVersion<ListPage>> {
      const [read, rows] = await db.batch([version(), pageQuery(db, business, query)]);
      return { version: read[0]?.version ?? 0, data: pageOf(rows, query.limit) };
    },

    /** The products of a category and of those below it, newest first; null for an unknown one. */
    async inCategory(
      categoryId: string,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<AtVersion<OffsetPage | null>> {
      const chosen = and(visible(business), inBranch(business, eq(categories.id, categoryId)));
      const [read, known, counted, items] = await db.batch([
        version(),
        db.select({ id: categories.id }).from(categories).where(ownCategory(business, categoryId)),
        db.select({ total: sql<number>`count(*)` }).from(products).where(chosen),
        db
          .select(listed)
          .from(products)
          .where(chosen)
          .orderBy(desc(products.createdAt), desc(products.id))
          .limit(limit)
          .offset(offset),
      ]);
      const data = known.length === 0 ? null : { items, total: counted[0]?.total ?? 0 };
      return { version: read[0]?.version ?? 0, data };
    },
  };
}

const ownCategory = (business: { id: string }, id: string) =>
  and(eq(categories.id, id), eq(categories.businessId, business.id), isNull(categories.archivedAt));

export const listed = {
  id: products.id,
  name: products.name,
  slug: products.slug,
  description: products.description,
  categoryId: products.categoryId,
  images: products.images,
  defaultPriceMinor: products.defaultPriceMinor,
  productType: products.productType,
  inventoryType: products.inventoryType,
  isActive: products.isActive,
  isFeatured: products.isFeatured,
};

/** One row more than the page holds tells whether there is another page. */
function pageQuery(db: Db, business: { id: string }, { filters, sort, limit, start }: ListQuery) {
  const price = priceAt(filters.locationId);
  const place = [...termsOf(sort, price), sql`${products.id}`];
  const inOrder = sort.direction === "asc" ? asc : desc;
  const query = db
    .select({
      ...listed,
      defaultPriceMinor: price,
      place: sql<string>`json_array(${sql.join(place, sql`, `)})`,
    })
    .from(products)
    .$dynamic();
  if (sort.by === "relevance") query.innerJoin(...hits(business, filters.search ?? ""));
  return query
    .where(and(matching(business, filters), behind(place, sort, start)))
    .orderBy(...place.map((term) => inOrder(term)))
    .limit(limit + 1)
    .offset("offset" in start ? start.offset : 0);
}

function termsOf({ by }: ProductSort, price: SQL): SQL[] {
  switch (by) {
    case "name":
      return [sql`${products.name}`];
    case "price":
      return [price];
    case "created_at":
      return [sql`${products.createdAt}`];
    case "popularity":
      return [sql`${products.popularity}`];
    case "relevance":
      return [sql`hits.fit`, sql`${products.createdAt}`];
  }
}

/** Strictly after a product's place: what is added meanwhile moves nothing across that line. */
function behind(
  place: readonly SQL[],
  { direction }: ProductSort,
  start: PageStart,
): SQL | undefined {
  if (!("after" in start)) return undefined;
  const reached = sql.join(
    start.after.map((value) => sql`${value}`),
    sql`, `,
  );
  const than = direction === "asc" ? sql`>` : sql`<`;
  return sql`(${sql.join([...place], sql`, `)}) ${than} (${reached})`;
}

/**
 * How well a product fits the words, from 3 (its name begins with them) to 0 (they are spread over
 * name, description and tags). It depends on the product alone: bm25 weighs words by all products
 * of all businesses, so that one that is added would move the others across pages.
 */
function hits(business: { id: string }, search: string): [SQL, SQL] {
  const expressions = searchExpressions(business, search);
  const fits = (expression: string) =>
    sql`(rowid in (select rowid from product_search where product_search match ${expression}))`;
  const rows = expressions
    ? sql`select rowid as product, ${fits(expressions.atStartOfName)} + ${fits(expressions.inName)}
        + ${fits(expressions.inNameOrTags)} as fit
      from product_search where product_search match ${expressions.anywhere}`
    : sql`select null as product, 0 as fit where false`;
  return [
    sql`(with matched as materialized (${rows}) select * from matched) as hits`,
    sql`hits.product = ${products}.rowid`,
  ];
}

function pageOf(rows: readonly (ListedProduct & { place: string })[], limit: number): ListPage {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, next: last ? positionFrom(last.place) : null };
}

// Safe: the text is the query's own json_array of sort values and id.
const positionFrom = (place: string): Position => JSON.parse(place) as Position;
