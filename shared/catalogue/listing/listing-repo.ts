import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import { versionQuery } from "../product-repo.ts";
import { categories, products } from "../tables.ts";
import { facetPage } from "./facet-page-repo.ts";
import { countInBranch } from "./facet-repo.ts";
import { wantedFacets } from "./facets.ts";
import { everything, type ListedProduct, type ListQuery, type Position } from "./listing.ts";
import { orderedPage } from "./ordered-page-repo.ts";
import { orderOfPage } from "./page-order-repo.ts";
import { priceAt } from "./product-filter-repo.ts";
import { inOrderToEnd } from "./reach-repo.ts";
import { searchPage } from "./search-page-repo.ts";

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
      const filters = { ...everything, categoryId };
      const sort = { by: "created_at", direction: "desc" } as const;
      const [read, known, counted, rows] = await db.batch([
        version(),
        db.select({ id: categories.id }).from(categories).where(ownCategory(business, categoryId)),
        db
          .select({ total: countInBranch(business, eq(categories.id, categoryId)) })
          .from(sql`(select 1)`),
        pageQuery(db, business, { filters, sort, limit, start: { offset } }),
      ]);
      const { items } = pageOf(rows, limit);
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

function pageQuery(db: Db, business: { id: string }, query: ListQuery) {
  const { filters, sort } = query;
  const price = priceAt(filters.locationId, {
    productId: sql`${products.id}`,
    price: sql`${products.defaultPriceMinor}`,
  });
  const order = orderOfPage(sort);
  return db
    .select({
      ...listed,
      defaultPriceMinor: price,
      isEnd: sql<number>`page.is_end`,
      place: sql<string>`json_array(${sql.join([...order.terms, order.productId], sql`, `)})`,
    })
    .from(sql`(${placesOf(business, query)}) as page`)
    .innerJoin(products, sql`${products.id} = page.product_id`)
    .orderBy(inOrderToEnd(order));
}

/** The page's products in order, with the values of their places. */
function placesOf(business: { id: string }, query: ListQuery): SQL {
  const { by } = query.sort;
  const { search, locationId } = query.filters;
  if (search !== null || by === "relevance") return searchPage(business, query);
  if (by === "name" || by === "popularity") return orderedPage(business, query, by);
  const isPricedThere = by === "price" && locationId !== null;
  return wantedFacets(query.filters).isEverything && !isPricedThere
    ? orderedPage(business, query, by)
    : facetPage(business, query, by);
}

type PageRow = ListedProduct & Readonly<{ place: string; isEnd: number }>;

/** Up to where the first of its walks ended, or until it is full. */
function pageOf(rows: readonly PageRow[], limit: number): ListPage {
  const endAt = rows.findIndex(({ isEnd }) => isEnd === 1);
  const reached = endAt < 0 ? rows : rows.slice(0, endAt);
  const items = reached.slice(0, limit);
  const last = reached.length > limit ? items.at(-1) : rows[endAt];
  return { items: items.map(withoutPlace), next: last ? positionFrom(last.place) : null };
}

const withoutPlace = ({ place: _, isEnd: __, ...product }: PageRow): ListedProduct => product;

// Safe: the text is the query's own json_array of sort values and id.
const positionFrom = (place: string): Position => JSON.parse(place) as Position;
