import { type SQL, sql } from "drizzle-orm";
import { integerLiteral } from "../../database/index.ts";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacets, products } from "../tables.ts";
import {
  checksGroups,
  type FacetFilter,
  facetConditions,
  facetFilterFor,
  facets,
} from "./facet-query.ts";
import type {
  PageStart,
  ProductFilters,
  ProductListQuery,
  ProductSort,
  ProductSortKey,
} from "./product-list.ts";

/**
 * A list's sort in SQL. The key consists of `terms` and `productId`, all sorted in the same
 * direction.
 */
export type KeyOrder = ProductSort & Readonly<{ terms: readonly SQL[]; productId: SQL }>;

/**
 * Names use the collation of their index: case is ignored for ASCII letters only. Other letters are
 * case-sensitive and come last.
 */
const collation = ({ by }: ProductSort): SQL => (by === "name" ? sql`collate nocase` : sql``);

/**
 * Selects the columns of a page's rows: product_id, term_0 and so on, and is_end. Here is_end is 0,
 * because the row is a product and not the end of a scan.
 */
export const pageColumns = (order: KeyOrder): SQL => sql`${keyColumns(order)}, 0 as is_end`;

/** Selects the columns product_id, term_0 and so on. */
export const keyColumns = ({ terms, productId }: KeyOrder): SQL =>
  sql.join(
    [
      sql`${productId} as product_id`,
      ...terms.map((term, index) => sql`${term} as ${sql.raw(`term_${index}`)}`),
    ],
    sql`, `,
  );

/** The same order for a table named `page` with the columns of `pageColumns`. */
export const pageOrder = (sort: ProductSort): KeyOrder => ({
  ...sort,
  terms: [sql`page.term_0`, ...(sort.by === "relevance" ? [sql`page.term_1`] : [])],
  productId: sql`page.product_id`,
});

/** The terms of an ORDER BY clause. */
export const orderByKey = ({ terms, productId, ...sort }: KeyOrder): SQL =>
  sql.join(
    [...terms.map((term) => sql`${term} ${collation(sort)}`), productId].map(
      (term) => sql`${term} ${sort.direction === "asc" ? sql`asc` : sql`desc`}`,
    ),
    sql`, `,
  );

/**
 * As `orderByKey`. At the same position, the row that marks a scan's end comes after the product.
 */
export const orderByKeyThenEnd = (order: KeyOrder): SQL => sql`${orderByKey(order)}, is_end asc`;

/**
 * The condition that the row is after the page's start. The page starts after a position, so it
 * stays correct when products are added or removed.
 */
export function isAfterStart(order: KeyOrder, start: PageStart): SQL {
  if (!("after" in start)) return sql`true`;
  const position = start.after.map((value) => sql`${value}`);
  return compareKey(order, order.direction === "asc" ? sql`>` : sql`<`, position);
}

/**
 * Compares the row's key with a position. The collation is applied to the position's values,
 * because a collation on the terms would prevent the use of the index.
 */
function compareKey(
  { terms, productId, ...sort }: KeyOrder,
  operator: SQL,
  position: readonly SQL[],
): SQL {
  const key = sql.join([...terms, productId], sql`, `);
  const values = position.map((value, index) =>
    index < terms.length ? sql`${value} ${collation(sort)}` : value,
  );
  return sql`(${key}) ${operator} (${sql.join(values, sql`, `)})`;
}

/**
 * How many rows to read for a page, and how many to skip. One additional row shows whether there is
 * a next page.
 */
export const pageWindow = ({ limit, start }: Pick<ProductListQuery, "limit" | "start">) => ({
  rows: limit + 1,
  offset: "offset" in start ? start.offset : 0,
});

/**
 * An active product's price at a location: the overridden price, or otherwise the default price.
 */
export const priceAt = (
  locationId: string | null,
  { productId, price }: { productId: SQL; price: SQL },
): SQL<number> =>
  locationId === null
    ? sql<number>`${price}`
    : sql<number>`coalesce((
        select own.price_minor from ${productFacets} as own
        where own.product_id = ${productId} and own.facet = ${facets.pricedAt(locationId)}), ${price})`;

export const hasPriceBounds = ({ minPriceMinor, maxPriceMinor }: ProductFilters): boolean =>
  minPriceMinor !== null || maxPriceMinor !== null;

/** The condition that a price is within the filter's bounds, which are inclusive. */
export const isWithinPrices = (price: SQL, { minPriceMinor, maxPriceMinor }: ProductFilters): SQL =>
  sql`${minPriceMinor === null ? sql`true` : sql`${price} >= ${minPriceMinor}`}
    and ${maxPriceMinor === null ? sql`true` : sql`${price} <= ${maxPriceMinor}`}`;

/** What a query needs to compare the rows of a table with a list's filters and its start. */
export type RowFilter = Readonly<{
  filter: FacetFilter;
  order: KeyOrder;
  price: SQL;
  /** True when the rows are read from the driving facets, so that their group needs no check. */
  isDriven: boolean;
}>;

/** The condition that a row is after the page's start and matches the filters. */
export const matchesQuery = (
  { filters, start }: Pick<ProductListQuery, "filters" | "start">,
  { filter, order, price, isDriven }: RowFilter,
): SQL =>
  sql.join(
    [
      isAfterStart(order, start),
      isWithinPrices(price, filters),
      ...facetConditions(order.productId, filter, { isDriven }),
    ],
    sql` and `,
  );

/**
 * A scan reads an index in the list's order and skips rows that the filters reject. `rows` selects
 * the first matching rows. `end` selects the position where the scan limit is reached, or is null
 * without a limit.
 */
export type Scan = Readonly<{
  rows: (limit: SQL) => SQL;
  end: ((limit: SQL) => SQL) | null;
}>;

/**
 * The conditions of a scan. `isMatch` selects the page's rows, and `isScanned` all rows that count
 * towards the scan limit. The limit is null when the scan skips no rows, or when the page must be
 * filled.
 */
export function scanConditions(query: ProductListQuery, row: RowFilter) {
  const { filter, order, price, isDriven } = row;
  const isByPrice = query.sort.by === "price";
  const skipsRows =
    checksGroups(filter, { isDriven }) ||
    filter.excluded.length > 0 ||
    (!isByPrice && hasPriceBounds(query.filters));
  const scanLimit = skipsRows && query.scanLimit !== undefined ? query.scanLimit : null;
  return {
    scanLimit,
    isMatch: sql`${matchesQuery(query, row)}
      ${scanLimit === null ? sql`` : sql`and ${isBeforeScanEnd(order)}`}`,
    isScanned: sql`${isAfterStart(order, query.start)}
      ${isByPrice ? sql`and ${isWithinPrices(price, query.filters)}` : sql``}`,
  };
}

/**
 * A scan of one range of an index.
 *
 * @param range the FROM and WHERE clauses of this range.
 */
export function rangeScan(query: ProductListQuery, row: RowFilter, range: SQL): Scan {
  const { order } = row;
  const { offset } = pageWindow(query);
  const { scanLimit, isMatch, isScanned } = scanConditions(query, row);
  return {
    rows: (limit) => sql`select ${pageColumns(order)} ${range} and ${isMatch}
      order by ${orderByKey(order)} limit ${limit} offset ${offset}`,
    end:
      scanLimit === null
        ? null
        : (limit) => sql`select ${keyColumns(order)} ${range} and ${isScanned}
          order by ${orderByKey(order)} limit ${limit} offset ${scanLimit - 1}`,
  };
}

/** The table `scan_end` for a WITH clause. Empty when the scan has no limit. */
export const scanEndTables = ({ end }: Scan, limit: SQL = sql`1`): readonly SQL[] =>
  end ? [sql`scan_end (product_id, term_0) as materialized (${end(limit)})`] : [];

/** The WITH clause with these tables; empty when there are no tables. */
export const withClause = (tables: readonly SQL[]): SQL =>
  tables.length === 0 ? sql`` : sql`with ${sql.join([...tables], sql`, `)}`;

/**
 * Selects the scan's rows. When the scan reached its limit, a row with is_end = 1 marks the
 * position.
 */
export const scanRows = ({ rows, end }: Scan, limit: SQL): SQL =>
  end
    ? sql`select * from (${rows(limit)})
        union all select product_id, term_0, 1 from scan_end`
    : rows(limit);

/**
 * Selects a page from a scan.
 *
 * @param tables the tables that the scan reads, for its WITH clause.
 */
export function scanPage(query: ProductListQuery, scan: Scan, tables: readonly SQL[]): SQL {
  const { rows } = pageWindow(query);
  return sql`${withClause([...tables, ...scanEndTables(scan)])} ${scanRows(scan, integerLiteral(rows))}`;
}

/**
 * The condition that the row is not after the scan's end. All key columns are compared, so that
 * SQLite stops reading the index there.
 */
export function isBeforeScanEnd(order: KeyOrder): SQL {
  const isAscending = order.direction === "asc";
  // Without a scan end every row passes. A blob sorts after all texts and numbers. For names the
  // smallest value is a text, because a number that is compared with a name becomes text.
  const smallest = order.by === "name" ? sql`''` : sql`-9e999`;
  return compareKey(order, isAscending ? sql`<=` : sql`>=`, [
    sql`coalesce((select term_0 from scan_end), ${isAscending ? sql`x'ff'` : smallest})`,
    sql`coalesce((select product_id from scan_end), ${isAscending ? sql`x'ff'` : sql`''`})`,
  ]);
}

export const productIndexes = {
  name: sql`products_by_name`,
  popularity: sql`products_by_popularity`,
  created_at: sql`products_newest`,
  price: sql`products_by_price`,
} as const satisfies Partial<Record<ProductSortKey, SQL>>;

/**
 * Scans an index of the products themselves. Used for lists without filters, and for lists by name
 * or popularity, because facets have no such index.
 */
export function productScan(
  business: BusinessRef,
  query: ProductListQuery,
  by: keyof typeof productIndexes,
): Scan {
  const filter = facetFilterFor(query.filters);
  const row = { filter, ...productOrder(query), isDriven: false };
  // The conditions repeat those of the partial indexes literally, so that SQLite can use the
  // indexes.
  const range = sql`from ${products} as product indexed by ${productIndexes[by]}
    where product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null`;
  return rangeScan(query, row, range);
}

/**
 * The sort key and the price of rows of a products table.
 *
 * @param table the table's name in the query.
 * @param fit how well the row fits the search, for lists by relevance.
 */
export function productOrder(
  { filters, sort }: ProductListQuery,
  { table = sql`product`, fit = sql`0` }: { table?: SQL; fit?: SQL } = {},
): { order: KeyOrder; price: SQL } {
  const productId = sql`${table}.id`;
  const price = priceAt(filters.locationId, {
    productId,
    price: sql`${table}.default_price_minor`,
  });
  const terms = {
    name: [sql`${table}.name`],
    price: [price],
    created_at: [sql`${table}.created_at`],
    popularity: [sql`${table}.popularity`],
    relevance: [fit, sql`${table}.created_at`],
  }[sort.by];
  return { order: { ...sort, terms, productId }, price };
}
