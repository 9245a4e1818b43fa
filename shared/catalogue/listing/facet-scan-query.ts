import { type SQL, sql } from "drizzle-orm";
import { integerLiteral } from "../../database/index.ts";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacetCounts, productFacets } from "../tables.ts";
import {
  drivingProductCount,
  type FacetFilter,
  facetFilterFor,
  facets,
  facetTables,
  soldAtDefaultPrice,
} from "./facet-query.ts";
import type { ProductListQuery } from "./product-list.ts";
import {
  isBeforeScanEnd,
  type KeyOrder,
  keyColumns,
  matchesQuery,
  orderByKey,
  pageColumns,
  pageOrder,
  pageWindow,
  priceAt,
  rangeScan,
  type Scan,
  scanConditions,
  scanEndTables,
  scanPage,
  scanRows,
  withClause,
} from "./scan-query.ts";

// These queries name the table product_facets `listed`.
const productId = sql`listed.product_id`;
const listedPrice = sql`listed.price_minor`;

const newestIndex = sql`product_facets_newest`;
const priceIndex = sql`product_facets_by_price`;
/** The primary key. Without this hint SQLite would build a temporary index. */
const productIndex = sql`sqlite_autoindex_product_facets_1`;

/**
 * At most this many products of the driving facets are read and sorted by price. With more, an
 * index is scanned.
 */
const maxSortedByPrice = 500;

/** Scans the driving facets, newest or oldest products first. */
export function facetScanByAge(business: BusinessRef, query: ProductListQuery): Scan {
  const { filters, sort } = query;
  const filter = facetFilterFor(filters);
  const order = { ...sort, terms: [sql`listed.created_at`], productId };
  const price = priceAt(filters.locationId, { productId, price: listedPrice });
  return facetScan(business, query, { filter, order, price, index: newestIndex });
}

/** Selects a page sorted by price. */
export function facetPageByPrice(business: BusinessRef, query: ProductListQuery): SQL {
  const { locationId } = query.filters;
  const filter = facetFilterFor(query.filters);
  return locationId === null
    ? pageByPrice(business, query, filter)
    : pageByLocationPrice(business, query, { filter, locationId });
}

/** Selects a page sorted by the default price, which every facet row contains. */
function pageByPrice(business: BusinessRef, query: ProductListQuery, filter: FacetFilter): SQL {
  const order = priceOrder(query);
  const scan = facetScan(business, query, { filter, order, price: listedPrice, index: priceIndex });
  return scanPage(query, scan, [facetTables(business, filter)]);
}

const priceOrder = ({ sort }: ProductListQuery): KeyOrder => ({
  ...sort,
  terms: [listedPrice],
  productId,
});

type LocationFilter = Readonly<{ filter: FacetFilter; locationId: string }>;

/**
 * Selects a page sorted by the price at a location. Products at their default price and products
 * with an overridden price are two sorted lists. The lists are merged up to the first scan end.
 */
function pageByLocationPrice(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, locationId }: LocationFilter,
): SQL {
  const { rows, offset } = pageWindow(query);
  const fromFirst = { ...query, limit: query.limit + offset, start: withoutOffset(query.start) };
  const order = pageOrder(query.sort);
  const merge: Scan = {
    rows: (limit) => sql`select page.product_id, page.term_0, page.is_end from both as page
      where page.is_end = 0 and ${isBeforeScanEnd(order)}
      order by ${orderByKey(order)} limit ${limit} offset ${offset}`,
    end: (limit) => sql`select page.product_id, page.term_0 from both as page
      where page.is_end = 1 order by ${orderByKey(order)} limit ${limit}`,
  };
  const both = sql`both (product_id, term_0, is_end) as materialized (
    select * from (${pageByPrice(business, fromFirst, soldAtDefaultPrice(filter, locationId))})
    union all
    select * from (${pageByOwnPrice(business, fromFirst, { filter, locationId })}))`;
  return sql`${withClause([both, ...scanEndTables(merge)])} ${scanRows(merge, integerLiteral(rows))}`;
}

const withoutOffset = (start: ProductListQuery["start"]): ProductListQuery["start"] =>
  "after" in start ? start : { offset: 0 };

/**
 * Selects products whose price the location overrides. Few products under the driving facets are
 * read and sorted. With many, the overridden prices are scanned, which soon fills a page.
 */
function pageByOwnPrice(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, locationId }: LocationFilter,
): SQL {
  const scan = ownPriceScan(business, query, { filter, locationId });
  if (filter.isUnfiltered) return scanPage(query, scan, []);
  const order = priceOrder(query);
  const { rows } = pageWindow(query);
  const areFew = sql`(select are_few from driving_size)`;
  const tables = [
    facetTables(business, filter),
    sql`driving_size (are_few) as materialized (select ${drivingProductCount(business)} <= ${maxSortedByPrice})`,
    ...scanEndTables(scan, sql`iif(${areFew}, 0, 1)`),
  ];
  return sql`${withClause(tables)}
    select * from (
      select distinct ${pageColumns(order)}
      from driving cross join ${productFacets} as found indexed by ${newestIndex}
        cross join ${productFacets} as listed
      where found.business_id = ${business.id} and found.facet = driving.facet
        and listed.product_id = found.product_id and listed.facet = ${facets.pricedAt(locationId)}
        and ${matchesQuery(query, { filter, order, price: listedPrice, isDriven: true })}
      order by ${orderByKey(order)} limit iif(${areFew}, ${rows}, 0))
    union all
    select * from (${scanRows(scan, sql`iif(${areFew}, 0, ${rows})`)})`;
}

/** Scans the products whose price the location overrides, in the order of that price. */
const ownPriceScan = (
  business: BusinessRef,
  query: ProductListQuery,
  { filter, locationId }: LocationFilter,
): Scan =>
  rangeScan(
    query,
    { filter, order: priceOrder(query), price: listedPrice, isDriven: false },
    facetRange(business, sql`${facets.pricedAt(locationId)}`, priceIndex),
  );

type FacetScanOptions = Readonly<{
  filter: FacetFilter;
  order: KeyOrder;
  price: SQL;
  /** The index of product_facets that is sorted by `order`. */
  index: SQL;
}>;

/**
 * Scans the driving facets in the order of the index. When there are several facets, their rows are
 * merged and a product with two of the facets is returned once.
 */
function facetScan(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, order, price, index }: FacetScanOptions,
): Scan {
  const row = { filter, order, price, isDriven: true };
  if (filter.isSingleFacetGroups) {
    return rangeScan(query, row, facetRange(business, sql`(select facet from driving)`, index));
  }
  const { offset } = pageWindow(query);
  const { scanLimit, isMatch, isScanned } = scanConditions(query, row);
  const fromFacet = (facet: SQL, condition: SQL) => sql`
    ${facetRange(business, facet, index)} and ${condition} order by ${orderByKey(order)}`;
  if (scanLimit === null) {
    return { rows: mergeFacets({ order, fromFacet, isMatch, offset }), end: null };
  }
  const fromDriving = sql`from driving cross join ${productFacets} as listed indexed by ${productIndex}
    where listed.facet = driving.facet`;
  return {
    rows: (
      limit,
    ) => sql`select distinct ${pageColumns(order)} ${fromDriving} and listed.product_id in (
        select listed.product_id ${fromFacet(sql`driving.facet`, isMatch)} limit ${limit} + ${offset})
      order by ${orderByKey(order)} limit ${limit} offset ${offset}`,
    // The earliest end of the facets' scans. Up to this position every facet was scanned
    // completely.
    end: (limit) => sql`select ${keyColumns(order)} ${fromDriving} and listed.product_id = (
        select listed.product_id ${fromFacet(sql`driving.facet`, isScanned)}
        limit 1 offset cast(max(${query.limit}, ${fairShare(business, scanLimit)}) as integer))
      order by ${orderByKey(order)} limit ${limit}`,
  };
}

/** The range of an index that has the rows of a facet. */
const facetRange = (business: BusinessRef, facet: SQL, index: SQL): SQL => sql`
  from ${productFacets} as listed indexed by ${index}
  where listed.business_id = ${business.id} and listed.facet = ${facet}`;

/**
 * How many products to scan under each driving facet, so that all facets together use up the scan
 * limit. What a small facet does not need is shared equally by the larger ones. The largest share
 * is returned.
 */
const fairShare = (business: BusinessRef, scanLimit: number): SQL => sql`coalesce((
  select max(1.0 * (${scanLimit} - smaller) / facets) from (
    select count(*) over () - row_number() over bySize + 1 as facets,
      sum(products) over bySize - products as smaller
    from (select driving.facet, coalesce(counted.products, 0) as products
      from driving left join ${productFacetCounts} as counted
        on counted.business_id = ${business.id} and counted.facet = driving.facet)
    window bySize as (order by products, facet rows unbounded preceding))), 0)`;

/**
 * Merges the driving facets with a queue that holds the next row of each facet. The first row of
 * the queue is taken and replaced by the next row of its facet.
 */
function mergeFacets({
  order,
  fromFacet,
  isMatch,
  offset,
}: Readonly<{
  order: KeyOrder;
  /** Selects the rows of a facet that meet a condition, in order. */
  fromFacet: (facet: SQL, condition: SQL) => SQL;
  isMatch: SQL;
  offset: number;
}>): Scan["rows"] {
  const { terms, productId, direction } = order;
  const [operator, queueOrder] = direction === "asc" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  // The concatenation removes the id's column affinity. With affinity SQLite would search the index
  // only by the term.
  const isAfterQueued = sql`(${sql.join([...terms, productId], sql`, `)}) ${operator}
    (queue.term_0, queue.product_id || '')`;
  const joinFirst = (facet: SQL, condition: SQL) => sql`
    cross join ${productFacets} as listed indexed by ${productIndex}
    where listed.facet = ${facet} and listed.product_id = (
      select listed.product_id ${fromFacet(facet, condition)} limit 1)`;
  return (limit) => sql`select * from (
    with recursive queue (product_id, term_0, facet) as (
      select ${keyColumns(order)}, driving.facet from driving
        ${joinFirst(sql`driving.facet`, isMatch)}
      union all
      select ${keyColumns(order)}, queue.facet from queue
        ${joinFirst(sql`queue.facet`, sql`${isMatch} and ${isAfterQueued}`)}
      order by 2 ${queueOrder}, 1 ${queueOrder})
    select distinct product_id, term_0, 0 as is_end from queue limit ${limit} offset ${offset})`;
}
