import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import {
  type AtVersion,
  type BusinessRef,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { categories, products } from "../tables.ts";
import { categoryTreeCount } from "./facet-query.ts";
import { facetScanPage } from "./facet-scan-query.ts";
import { facetFilterFor } from "./facets.ts";
import { orderByKeyThenEnd, pageOrder } from "./keyset-query.ts";
import { listedProductColumns } from "./listed-product-query.ts";
import {
  type KeyPosition,
  type ListedProduct,
  noFilters,
  type ProductListQuery,
} from "./product-list.ts";
import { productScanPage } from "./product-scan-query.ts";
import { searchPage } from "./search-query.ts";

export type ProductListPage = Readonly<{
  items: readonly ListedProduct[];
  /** The next page starts after this position; null on the last page. */
  next: KeyPosition | null;
}>;

export type OffsetPage = Readonly<{ items: readonly ListedProduct[]; total: number }>;

/** A page of the products that shoppers see, in one round trip. */
export async function listProducts(
  { db, business }: CatalogueReader,
  query: ProductListQuery,
): Promise<AtVersion<ProductListPage>> {
  const [versionRows, rows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    pageQuery(db, business, query),
  ]);
  return { version: parseVersion(versionRows), data: toPage(rows, query.limit) };
}

/**
 * A page of the products that shoppers see in a category and its subcategories, newest first, in
 * one round trip. Null for an unknown category.
 */
export async function listCategoryProducts(
  { db, business }: CatalogueReader,
  categoryId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AtVersion<OffsetPage | null>> {
  const filters = { ...noFilters, categoryId };
  const sort = { by: "created_at", direction: "desc" } as const;
  const [versionRows, categoryRows, counts, rows] = await db.batch([
    catalogueVersionQuery(db, business.id),
    db
      .select({ id: categories.id })
      .from(categories)
      .where(
        and(
          eq(categories.id, categoryId),
          eq(categories.businessId, business.id),
          isNull(categories.archivedAt),
        ),
      ),
    db
      .select({ total: categoryTreeCount(business, eq(categories.id, categoryId)) })
      .from(sql`(select 1)`),
    pageQuery(db, business, { filters, sort, limit, start: { offset } }),
  ]);
  const { items } = toPage(rows, limit);
  const data = categoryRows.length === 0 ? null : { items, total: counts[0]?.total ?? 0 };
  return { version: parseVersion(versionRows), data };
}

function pageQuery(db: Db, business: BusinessRef, query: ProductListQuery) {
  const { filters, sort } = query;
  const order = pageOrder(sort);
  return db
    .select({
      ...listedProductColumns(filters.locationId),
      isEnd: sql<number>`page.is_end`,
      position: sql<string>`json_array(${sql.join([...order.terms, order.productId], sql`, `)})`,
    })
    .from(sql`(${pageRows(business, query)}) as page`)
    .innerJoin(products, sql`${products.id} = page.product_id`)
    .orderBy(orderByKeyThenEnd(order));
}

/**
 * Selects product_id, term_0, is_end, and also term_1 when sorted by relevance. README.md explains
 * which query is chosen.
 */
function pageRows(business: BusinessRef, query: ProductListQuery): SQL {
  const { by } = query.sort;
  const { search, locationId } = query.filters;
  if (search !== null || by === "relevance") return searchPage(business, query);
  if (by === "name" || by === "popularity") return productScanPage(business, query, by);
  const isByLocationPrice = by === "price" && locationId !== null;
  return facetFilterFor(query.filters).isUnfiltered && !isByLocationPrice
    ? productScanPage(business, query, by)
    : facetScanPage(business, query, by);
}

type PageRow = ListedProduct & Readonly<{ position: string; isEnd: number }>;

/**
 * Builds the page from its rows. The page ends when it is full, or where a scan reached its limit.
 */
function toPage(rows: readonly PageRow[], limit: number): ProductListPage {
  const endIndex = rows.findIndex(({ isEnd }) => isEnd === 1);
  const scannedRows = endIndex < 0 ? rows : rows.slice(0, endIndex);
  const items = scannedRows.slice(0, limit);
  const lastRow = scannedRows.length > limit ? items.at(-1) : rows[endIndex];
  return {
    items: items.map(toListedProduct),
    next: lastRow ? parsePosition(lastRow.position) : null,
  };
}

const toListedProduct = ({ position: _, isEnd: __, ...product }: PageRow): ListedProduct => product;

// Safe: the query built this text with json_array from the sort values and the id.
const parsePosition = (position: string): KeyPosition => JSON.parse(position) as KeyPosition;
