import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacets, products } from "../tables.ts";
import { facetTables, matchesQuery } from "./facet-query.ts";
import { atDefaultPrice, facetFilterFor, facets } from "./facets.ts";
import {
  hasPriceBounds,
  isAfterStart,
  isBeforeScanEnd,
  isWithinPrices,
  type KeyOrder,
  keyColumns,
  orderByKey,
  pageColumns,
  pageWindow,
  priceAt,
  type Scan,
  scanEndTables,
  scanLimitFor,
  scanRows,
  withClause,
} from "./keyset-query.ts";
import type { ProductListQuery, ProductSortKey } from "./product-list.ts";

export const productIndexes = {
  name: sql`products_by_name`,
  popularity: sql`products_by_popularity`,
  created_at: sql`products_newest`,
  price: sql`products_by_price`,
} as const satisfies Partial<Record<ProductSortKey, SQL>>;

/**
 * Selects a page from an index of the products themselves. Used for lists without filters. Also
 * used for lists by name or popularity with many candidates, because facets have no such index.
 */
export function productScanPage(
  business: BusinessRef,
  query: ProductListQuery,
  by: keyof typeof productIndexes,
): SQL {
  const filter = facetFilterFor(query.filters);
  const checksPrices = by !== "price" && hasPriceBounds(query.filters);
  const scan = productScan(business, query, by);
  if (!filter.isUnfiltered || checksPrices) return sortCandidatesOrScan(business, query, scan);
  const { rows } = pageWindow(query);
  return sql`${withClause(scanEndTables(scan))} ${scanRows(scan, sql`${rows}`)}`;
}

function productScan(
  business: BusinessRef,
  query: ProductListQuery,
  by: keyof typeof productIndexes,
): Scan {
  const { filters, start } = query;
  const filter = facetFilterFor(filters);
  const { order, price } = productKeyOrder(query);
  const { offset } = pageWindow(query);
  const isDriven = false;
  const scanLimit = scanLimitFor(query, filter, { isDriven });
  // The conditions repeat those of the partial indexes literally, so that SQLite can use the
  // indexes.
  const fromProducts = sql`from ${products} as product indexed by ${productIndexes[by]}
    where product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null`;
  return {
    rows: (limit) => sql`select ${pageColumns(order)} ${fromProducts}
      and ${matchesQuery(query, { filter, order, price, isDriven })}
      ${scanLimit === null ? sql`` : sql`and ${isBeforeScanEnd(order)}`}
      order by ${orderByKey(order)} limit ${limit} offset ${offset}`,
    end:
      scanLimit === null
        ? null
        : (
            limit,
          ) => sql`select ${keyColumns(order)} ${fromProducts} and ${isAfterStart(order, start)}
        ${by === "price" ? sql`and ${isWithinPrices(price, filters)}` : sql``}
        order by ${orderByKey(order)} limit ${limit} offset ${scanLimit - 1}`,
  };
}

/** The sort key and the price of rows of a products table named `product`. */
function productKeyOrder({ filters, sort }: ProductListQuery): { order: KeyOrder; price: SQL } {
  const productId = sql`product.id`;
  const price = priceAt(filters.locationId, {
    productId,
    price: sql`product.default_price_minor`,
  });
  const term = {
    name: sql`product.name`,
    popularity: sql`product.popularity`,
    created_at: sql`product.created_at`,
    price,
    relevance: sql`0`,
  }[sort.by];
  return { order: { ...sort, terms: [term], productId }, price };
}

/** At most this many candidates are read and sorted. With more, an index is scanned. */
const maxSortedCandidates = 500;

/**
 * Selects a page from the candidates: products under the driving facets and within the price
 * bounds. Few candidates are read and sorted. With many, a scan soon fills the page or reaches its
 * limit.
 */
export function sortCandidatesOrScan(
  business: BusinessRef,
  query: ProductListQuery,
  scan: Scan,
): SQL {
  const filter = facetFilterFor(query.filters);
  const { order, price } = productKeyOrder(query);
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
  const priced = isBounded ? atDefaultPrice(filter, locationId) : filter;
  const productsUnder = (joinedTable: SQL, facet: SQL) => sql`
    select listed.product_id from ${joinedTable} ${productFacets} as listed indexed by product_facets_by_price
    where listed.business_id = ${business.id} and listed.facet = ${facet}
      and ${isBounded ? isWithinPrices(sql`listed.price_minor`, filters) : sql`true`}
    limit ${maxSortedCandidates + 1}`;
  const atDefaultPrices = sql`with ${facetTables(business, priced)}
    ${productsUnder(sql`driving cross join`, sql`driving.facet`)}`;
  return isBounded && locationId !== null
    ? sql`select * from (${atDefaultPrices})
        union all select * from (${productsUnder(sql``, sql`${facets.pricedAt(locationId)}`)})`
    : atDefaultPrices;
}
