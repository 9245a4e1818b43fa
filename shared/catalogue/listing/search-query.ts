import { type SQL, sql } from "drizzle-orm";
import { integerLiteral } from "../../database/index.ts";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacets, products } from "../tables.ts";
import {
  drivingProductCount,
  type FacetFilter,
  facetFilterFor,
  facetTables,
} from "./facet-query.ts";
import type { ProductListQuery } from "./product-list.ts";
import {
  hasPriceBounds,
  isAfterStart,
  isWithinPrices,
  type KeyOrder,
  matchesQuery,
  orderByKey,
  pageColumns,
  pageWindow,
  productIndexes,
  productOrder,
  withClause,
} from "./scan-query.ts";
import { anywhereExpression, searchedTables } from "./search-expression-query.ts";

/** Up to this many hits are read and sorted. With more, an index of the products is scanned. */
const maxSortedHits = 1_000;

/** The scan stops when the filters reject this many hits. */
const maxRejectedHits = 1_000;

/**
 * A list by age first looks for its hits among this many products for each hit of the page. Their
 * rowids are close together, and FTS5 reads only this range.
 */
const productsPerHit = 10;

/** Other lists check this many products one by one for each hit of the page, if hits are dense. */
const maxChecksPerHit = 3;

/** A check takes about 0.1 ms, so for more hits the set of all hits is built. */
const maxCheckedHits = 30;

/** In a longer range of rowids FTS5 does not look for the first hits alone. */
const maxWindowRowids = 10_000;

/** With at most this many products under the driving facets, only hits among these are sorted. */
const maxDrivingProducts = 10_000;

/** The condition that a product matches a search. */
export function matchesSearch(business: BusinessRef, search: string): SQL {
  const expression = anywhereExpression(business, search);
  if (expression === null) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expression})`;
}

/**
 * Selects a page of a search. Few hits are sorted. With many, the products are read in the list's
 * order until hits fill the page, and all hits are sorted only when that does not fill it.
 */
export function searchPage(business: BusinessRef, query: ProductListQuery): SQL {
  const filter = facetFilterFor(query.filters);
  const index = scanIndexFor(query);
  return sql`${withClause([
    ...(filter.isUnfiltered ? [] : [facetTables(business, filter)]),
    ...searchedTables(business, query),
    ...(index === null
      ? [hitsTable(searchHits())]
      : neededHitsTables(business, query, { filter, index })),
  ])} ${sortedHits(business, query)}`;
}

/** The index that has the products in the list's order; null for prices at a location. */
const scanIndexFor = ({ filters, sort }: ProductListQuery): SQL | null =>
  sort.by === "price" && filters.locationId !== null
    ? null
    : productIndexes[sort.by === "relevance" ? "created_at" : sort.by];

type SearchScan = Readonly<{
  filter: FacetFilter;
  /** The index that has the products in the list's order. */
  index: SQL;
}>;

/**
 * Tables for a WITH clause. The last one, `hits`, has all hits that can be on the page. When the
 * scan fills the page, these are the hits of a better fit and those that it found.
 */
function neededHitsTables(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, index }: SearchScan,
): SQL[] {
  const { rows, offset } = pageWindow(query);
  const isEnough = sql`(select is_enough from scan_result)`;
  return [
    ...(filter.isUnfiltered
      ? []
      : [sql`driving_size (products) as materialized (select ${drivingProductCount(business)})`]),
    sql`first_hits (product, fit) as materialized (
      ${searchHits({ limit: integerLiteral(maxSortedHits + 1) })})`,
    // Empty when first_hits has all hits. Otherwise, it has all hits of a better fit than this.
    sql`scanned_fit (fit) as materialized (
      select min(fit) from first_hits having count(*) > ${maxSortedHits})`,
    ...scannedTables(business, query, { filter, index }),
    sql`scan_result (is_enough) as materialized (
      select ${scannedFit} is null or (select count(*) from scanned) = ${rows + offset})`,
    hitsTable(sql`
      select product, fit from first_hits where ${isEnough} and fit > coalesce(${scannedFit}, -1)
      union all select product, ${scannedFit} from scanned where ${isEnough}
      union all select * from (${searchHits({
        condition: filter.isUnfiltered ? sql`true` : isDrivenUnlessMany(business),
        limit: sql`iif(${isEnough}, 0, -1)`,
      })})`),
  ];
}

const scannedFit = sql`(select fit from scanned_fit)`;

/** A table of the rowids and fits of hits, which `sortedHits` reads. */
const hitsTable = (hits: SQL): SQL => sql`hits (product, fit) as materialized (${hits})`;

/** Selects rowid and fit of the hits, the best fit first, because a cross join keeps its order. */
const searchHits = ({
  limit = sql`-1`,
  condition = sql`true`,
}: {
  limit?: SQL;
  condition?: SQL;
} = {}): SQL => sql`
  select found.rowid, searched.fit
  from searched cross join product_search as found
  where found.product_search match searched.expression and ${condition}
  limit ${limit}`;

/** The condition that the driving facets have the row `found`; true when they have many products. */
const isDrivenUnlessMany = (business: BusinessRef): SQL => sql`(
  (select products from driving_size) > ${maxDrivingProducts} or found.rowid in (
    select product.rowid from driving
      cross join ${productFacets} as listed indexed by product_facets_newest
      cross join ${products} as product
    where listed.business_id = ${business.id} and listed.facet = driving.facet
      and product.id = listed.product_id))`;

/** Sorts the products of the table `hits`. Reads only the key values, because it reads all hits. */
function sortedHits(business: BusinessRef, query: ProductListQuery): SQL {
  const filter = facetFilterFor(query.filters);
  const { order, price } = productOrder(query, { fit: sql`hits.fit` });
  const { rows, offset } = pageWindow(query);
  return sql`select ${pageColumns(order)} from hits cross join ${products} as product
    where product.rowid = hits.product and +product.business_id = ${business.id}
      and product.is_active = 1 and product.archived_at is null
      and ${matchesQuery(query, { filter, order, price, isDriven: false })}
    order by ${orderByKey(order)} limit ${integerLiteral(rows)} offset ${integerLiteral(offset)}`;
}

/**
 * Tables for a WITH clause. The last one, `scanned`, has the first hits of `scanned_fit` in the
 * list's order that the filters accept.
 */
function scannedTables(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, index }: SearchScan,
): readonly SQL[] {
  const { filters, sort, start } = query;
  const { rows, offset } = pageWindow(query);
  const product = scanOrder(query, sql`product`);
  const hit = scanOrder(query, sql`hit`);
  const isAfter =
    sort.by === "relevance" ? isAfterStartInFit(start) : isAfterStart(product.order, start);
  const isScanned = filter.isUnfiltered
    ? sql`${scannedFit} is not null`
    : sql`${scannedFit} is not null and (select products from driving_size) > ${maxSortedHits}`;
  const canReject = !filter.isUnfiltered || filter.excluded.length > 0 || hasPriceBounds(filters);
  const rejectedHits = canReject ? maxRejectedHits : 0;
  const productsIf = (condition: SQL, limit: SQL): SQL => sql`
      select product.rowid as product, product.id, product.name, product.created_at,
        product.popularity, product.default_price_minor
      from ${products} as product indexed by ${index}
      where product.business_id = ${business.id} and product.is_active = 1
        and product.archived_at is null and ${isAfter}
        and ${sort.by === "price" ? isWithinPrices(product.price, filters) : sql`true`}
        and ${condition}
      order by ${orderByKey(product.order)} limit ${limit}`;
  const fromFirst = { filters, start: { offset: 0 } };
  const accepted = (limit: SQL): SQL => sql`
      where ${matchesQuery(fromFirst, { filter, ...hit, isDriven: false })}
      order by ${orderByKey(hit.order)} limit ${limit}`;
  const wanted = rows + offset;
  // The set of all hits is built once, which is cheaper than reading their products.
  const scanAll = (limit: SQL): SQL => sql`select hit.product
    from (${productsIf(sql`product.rowid in (${hitsOfScannedFit})`, limit)}) as hit
    ${accepted(integerLiteral(wanted))}`;
  const isByAge = sort.by === "relevance" || sort.by === "created_at";
  const window = isByAge
    ? {
        limit: sql`iif(${isScanned}, ${productsPerHit * wanted + rejectedHits}, 0)`,
        isHit: sql`product in (${hitsOfScannedFit} and rowid
          between (select lowest from rowids) and (select highest from rowids))`,
        isRead: sql`(select highest - lowest < ${maxWindowRowids} from rowids)`,
      }
    : {
        limit: sql`iif(${isScanned} and ${areHitsDense}, ${maxChecksPerHit * wanted}, 0)`,
        isHit: sql`exists (${hitsOfScannedFit} and rowid = product)`,
        isRead: sql`${!canReject && wanted <= maxCheckedHits}`,
      };
  const isWindowFull = sql`(select count(*) from window_hits) = ${wanted}`;
  return [
    sql`scan_window as materialized (${productsIf(sql`true`, window.limit)})`,
    sql`rowids (lowest, highest) as materialized (
      select min(product), max(product) from scan_window)`,
    sql`window_hits (product) as materialized (
      select hit.product from (select * from scan_window where ${window.isHit}) as hit
      ${accepted(sql`iif(${window.isRead}, ${wanted}, 0)`)})`,
    sql`scanned (product) as materialized (
      select product from window_hits where ${isWindowFull}
      union all
      select * from (${scanAll(sql`iif(${isScanned} and not ${isWindowFull}, ${wanted + rejectedHits}, 0)`)}))`,
  ];
}

/** Whether at least half of the products near the first hits are hits. */
const areHitsDense = sql`(
  select max(product) - min(product) < 2 * count(*) from first_hits)`;

const hitsOfScannedFit = sql`select rowid from product_search where product_search match (
  select expression from searched where fit = ${scannedFit})`;

/** The list's order for hits of the same fit, without the fit, so that an index has this order. */
function scanOrder(query: ProductListQuery, table: SQL): { order: KeyOrder; price: SQL } {
  const { order, price } = productOrder(query, { table, fit: scannedFit });
  const terms = query.sort.by === "relevance" ? order.terms.slice(1) : order.terms;
  return { order: { ...order, terms }, price };
}

/** The condition that a product of `scanned_fit` is after the start, as a range of the index. */
function isAfterStartInFit(start: ProductListQuery["start"]): SQL {
  if (!("after" in start)) return sql`true`;
  const [fitAtStart, createdAt, productId] = start.after;
  return sql`(product.created_at, product.id) <
    (iif(${scannedFit} < ${fitAtStart}, 9e999, ${createdAt}), ${productId})`;
}
