import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, integerLiteral, prepareReads } from "../../database/index.ts";
import { createLruCache } from "../../kernel/index.ts";
import {
  type AtVersion,
  type BusinessRef,
  type CatalogueReader,
  catalogueVersionQuery,
  parseVersion,
} from "../catalogue-version-repo.ts";
import { categoryTreeCount } from "../categories/category-tree-query.ts";
import type { PriceRange } from "../product.ts";
import { categories, productFacets, products, productVariants } from "../tables.ts";
import { facetFilterFor, facets, facetTables, soldAtDefaultPrice } from "./facet-query.ts";
import { facetPageByPrice, facetScanByAge } from "./facet-scan-query.ts";
import {
  type KeyPosition,
  type ListedProduct,
  noFilters,
  type ProductListQuery,
} from "./product-list.ts";
import {
  hasPriceBounds,
  isWithinPrices,
  type KeyOrder,
  matchesQuery,
  orderByKey,
  orderByKeyThenEnd,
  pageColumns,
  pageOrder,
  pageWindow,
  priceAt,
  productOrder,
  productScan,
  type Scan,
  scanEndTables,
  scanPage,
  scanRows,
  withClause,
} from "./scan-query.ts";
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
  const [versionRows, rows] = await db.batch(listReads(db, business, query));
  return { version: parseVersion(versionRows), data: toPage(rows, query.limit) };
}

/** How many lists keep the SQL of their first page, which takes about 20 KB each. */
const maxPreparedLists = 200;

/** The lists whose first page was read before; null for one that was read once. */
const preparedLists = createLruCache<ReturnType<typeof prepareList> | null>(
  maxPreparedLists,
  () => 1,
);

/** The reads of a page. The SQL of a list's first page is kept when it is read again. */
function listReads(db: Db, business: BusinessRef, query: ProductListQuery) {
  if (isSearch(query) || !isFirstPage(query)) return buildListReads(db, business, query);
  const key = JSON.stringify(query);
  const known = preparedLists.get(key);
  const prepared = known === undefined ? null : (known ?? prepareList(query));
  preparedLists.put(key, prepared);
  return prepared === null
    ? buildListReads(db, business, query)
    : prepared(db, { businessId: business.id });
}

const prepareList = (query: ProductListQuery) =>
  prepareReads((db, { businessId }: { businessId: string }) =>
    buildListReads(db, { id: businessId }, query),
  );

const buildListReads = (db: Db, business: BusinessRef, query: ProductListQuery) =>
  [catalogueVersionQuery(db, business.id), pageQuery(db, business, query)] as const;

const isSearch = ({ filters, sort }: ProductListQuery): boolean =>
  filters.search !== null || sort.by === "relevance";

const isFirstPage = ({ start }: ProductListQuery): boolean =>
  "offset" in start && start.offset === 0;

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
  const order = pageOrder(query.sort);
  return db
    .select({ ...listedProductColumns(query.filters.locationId), ...positionColumns(order) })
    .from(sql`(${pageRows(business, query)}) as page`)
    .innerJoin(products, sql`${products.id} = page.product_id`)
    .orderBy(orderByKeyThenEnd(order));
}

/** The columns from which `cutPage` finds the page's end. */
export const positionColumns = ({ terms, productId }: KeyOrder) => ({
  isEnd: sql<number>`page.is_end`,
  position: sql<string>`json_array(${sql.join([...terms, productId], sql`, `)})`,
});

/**
 * Selects product_id, term_0, is_end, and also term_1 when sorted by relevance. README.md explains
 * the choice between searches, scans and sorted candidates.
 */
export function pageRows(business: BusinessRef, query: ProductListQuery): SQL {
  const { filters, sort } = query;
  if (filters.search !== null || sort.by === "relevance") return searchPage(business, query);
  const filter = facetFilterFor(filters);
  if (sort.by === "price" && (filters.locationId !== null || !filter.isUnfiltered)) {
    return facetPageByPrice(business, query);
  }
  // Facets have indexes by age and by price only.
  const isFacetScan = sort.by === "created_at" && !filter.isUnfiltered;
  const scan = isFacetScan
    ? facetScanByAge(business, query)
    : productScan(business, query, sort.by);
  const checksPrices = sort.by !== "price" && hasPriceBounds(filters);
  if (checksPrices || !(isFacetScan || filter.isUnfiltered)) {
    return sortCandidatesOrScan(business, query, scan);
  }
  return scanPage(query, scan, isFacetScan ? [facetTables(business, filter)] : []);
}

/** At most this many candidates are read and sorted. With more, an index is scanned. */
const maxSortedCandidates = 500;

/**
 * Selects a page from the candidates: products under the driving facets and within the price
 * bounds. Few candidates are read and sorted. With many, a scan soon fills the page or reaches its
 * limit.
 */
function sortCandidatesOrScan(business: BusinessRef, query: ProductListQuery, scan: Scan): SQL {
  const filter = facetFilterFor(query.filters);
  const { order, price } = productOrder(query);
  const { rows, offset } = pageWindow(query);
  const areFew = sql`(select count(*) <= ${maxSortedCandidates} from candidates)`;
  const tables = [
    facetTables(business, filter),
    sql`candidates (product_id) as materialized (${candidates(business, query)})`,
    ...scanEndTables(scan, sql`iif(${areFew}, 0, 1)`),
  ];
  return sql`${withClause(tables)}
    select * from (
      select distinct ${pageColumns(order)} from candidates cross join ${products} as product
      where product.id = candidates.product_id
        and ${matchesQuery(query, { filter, order, price, isDriven: false })}
      order by ${orderByKey(order)} limit iif(${areFew}, ${rows}, 0) offset ${offset})
    union all
    select * from (${scanRows(scan, sql`iif(${areFew}, 0, ${rows})`)})`;
}

/**
 * Selects the candidates. With price bounds, products at their default price and products with the
 * location's price are read by two queries.
 */
function candidates(business: BusinessRef, { filters }: ProductListQuery): SQL {
  const { locationId } = filters;
  const isBounded = hasPriceBounds(filters);
  const filter = facetFilterFor(filters);
  const priced = isBounded ? soldAtDefaultPrice(filter, locationId) : filter;
  const productsUnder = (joinedTable: SQL, facet: SQL) => sql`
    select listed.product_id from ${joinedTable} ${productFacets} as listed indexed by product_facets_by_price
    where listed.business_id = ${business.id} and listed.facet = ${facet}
      and ${isBounded ? isWithinPrices(sql`listed.price_minor`, filters) : sql`true`}
    limit ${integerLiteral(maxSortedCandidates + 1)}`;
  const atDefaultPrices = sql`with ${facetTables(business, priced)}
    ${productsUnder(sql`driving cross join`, sql`driving.facet`)}`;
  return isBounded && locationId !== null
    ? sql`select * from (${atDefaultPrices})
        union all select * from (${productsUnder(sql``, sql`${facets.pricedAt(locationId)}`)})`
    : atDefaultPrices;
}

type Positioned = Readonly<{ position: string; isEnd: number }>;
type PageRow = ListedProduct & Positioned;

function toPage(rows: readonly PageRow[], limit: number): ProductListPage {
  const { items, next } = cutPage(rows, limit);
  return { items: items.map(toListedProduct), next };
}

/** The rows of a page. It ends when it is full, or where a scan reached its limit. */
export function cutPage<R extends Positioned>(
  rows: readonly R[],
  limit: number,
): Readonly<{ items: readonly R[]; next: KeyPosition | null }> {
  const endIndex = rows.findIndex(({ isEnd }) => isEnd === 1);
  const scannedRows = endIndex < 0 ? rows : rows.slice(0, endIndex);
  const items = scannedRows.slice(0, limit);
  const lastRow = scannedRows.length > limit ? items.at(-1) : rows[endIndex];
  return { items, next: lastRow ? parsePosition(lastRow.position) : null };
}

const toListedProduct = ({ position: _, isEnd: __, ...product }: PageRow): ListedProduct => product;

// Safe: the query built this text with json_array from the sort values and the id.
const parsePosition = (position: string): KeyPosition => JSON.parse(position) as KeyPosition;

/** The columns of `ListedProduct` in a query of products, with the prices and stock of a location. */
export function listedProductColumns(locationId: string | null = null) {
  const price = priceAt(locationId, {
    productId: sql`${products.id}`,
    price: sql`${products.defaultPriceMinor}`,
  });
  return {
    id: products.id,
    name: products.name,
    slug: products.slug,
    description: products.description,
    categoryId: products.categoryId,
    images: products.images,
    defaultPriceMinor: price,
    compareAtPriceMinor: products.compareAtPriceMinor,
    priceRange: priceRangeColumn(price, locationId),
    isInStock: inStockColumn(locationId),
    productType: products.productType,
    inventoryType: products.inventoryType,
    isActive: products.isActive,
    isFeatured: products.isFeatured,
  };
}

/** Whether at least one unit can be sold, by the same facets as the filter by stock. */
export const inStockColumn = (locationId: string | null = null): SQL<boolean> =>
  sql<number>`exists (select 1 from ${productFacets} as stocked
    where stocked.product_id = ${products.id} and stocked.facet in
      (${facets.uncounted}, ${locationId === null ? facets.inStock : facets.inStockAt(locationId)}))`.mapWith(
    Boolean,
  );

/** The SQL form of `priceRangeOf`; `price` is the product's price at the location. */
const priceRangeColumn = (price: SQL, locationId: string | null): SQL<PriceRange> =>
  sql<string>`(select json_array(coalesce(min(variant_price), ${price}), coalesce(max(variant_price), ${price}))
    from (select max(0, ${variantPrice(price, locationId)}) as variant_price
      from ${productVariants} as variant
      where variant.product_id = ${products.id} and variant.is_active and variant.archived_at is null))`.mapWith(
    parsePriceRange,
  );

const variantPrice = (price: SQL, locationId: string | null): SQL =>
  locationId === null
    ? sql`${price} + variant.price_adjustment_minor`
    : sql`coalesce(
        (select override.value ->> '$.priceMinor' from json_each(${products.priceOverrides}) as override
          where override.value ->> '$.locationId' = ${locationId}
            and override.value ->> '$.variantId' = variant.id),
        ${price} + variant.price_adjustment_minor)`;

function parsePriceRange(json: string): PriceRange {
  const [minMinor = 0, maxMinor = 0]: number[] = JSON.parse(json);
  return { minMinor, maxMinor };
}
