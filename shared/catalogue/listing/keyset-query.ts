import { type SQL, sql } from "drizzle-orm";
import type { FacetFilter } from "./facets.ts";
import { hasPriceBounds } from "./price-filter-query.ts";
import type { PageStart, ProductListQuery, ProductSort } from "./product-list.ts";

/** A list's sort in SQL. `terms` and then `productId` form the key, all in the same direction. */
export type KeyOrder = ProductSort & Readonly<{ terms: readonly SQL[]; productId: SQL }>;

/**
 * The collation of names, as the index by name has it: "apple" comes before "Banana". Letters
 * beyond ASCII are compared with their case and come last.
 */
const collation = ({ by }: ProductSort): SQL => (by === "name" ? sql`collate nocase` : sql``);

/** The columns of a page's rows: product_id, the terms as term_0 and so on, and is_end = 0. */
export const pageColumns = (order: KeyOrder): SQL => sql`${keyColumns(order)}, 0 as is_end`;

/** The columns product_id, term_0 and so on. */
export const keyColumns = ({ terms, productId }: KeyOrder): SQL =>
  sql.join(
    [
      sql`${productId} as product_id`,
      ...terms.map((term, index) => sql`${term} as ${sql.raw(`term_${index}`)}`),
    ],
    sql`, `,
  );

/** The same order for rows with `pageColumns` that are called `page`. */
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

/** As `orderByKey`; the scan's end comes after the product at the same position. */
export const orderByKeyThenEnd = (order: KeyOrder): SQL => sql`${orderByKey(order)}, is_end asc`;

/**
 * The row comes strictly after the page's start, wherever products were added or removed meanwhile.
 */
export function isAfterStart(order: KeyOrder, start: PageStart): SQL {
  if (!("after" in start)) return sql`true`;
  const position = start.after.map((value) => sql`${value}`);
  return compareKey(order, order.direction === "asc" ? sql`>` : sql`<`, position);
}

/**
 * Compares the row's key with a position. The collation is attached to the position's values;
 * attached to the terms, it would keep the index from being searched.
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
 * The rows to read for a page. One row more than the page is read, to find out whether there is a
 * next page.
 */
export const pageWindow = ({ limit, start }: Pick<ProductListQuery, "limit" | "start">) => ({
  rows: limit + 1,
  offset: "offset" in start ? start.offset : 0,
});

/**
 * A scan reads an index in the list's order and skips rows that do not match the filters. `rows`
 * selects up to a number of matching rows. `end` selects the position at which the scan limit is
 * reached, matching or not; it is null for a scan without a limit.
 */
export type Scan = Readonly<{
  rows: (limit: SQL) => SQL;
  end: ((limit: SQL) => SQL) | null;
}>;

/**
 * The number of rows that a scan may look at; null if it skips none, or if the page has to be
 * filled.
 *
 * @param isDriven the scan reads the driving facets, so it does not check their group.
 */
export function scanLimitFor(
  { filters, sort, scanLimit }: ProductListQuery,
  { groupCount, missing, excluded }: FacetFilter,
  { isDriven }: { isDriven: boolean },
): number | null {
  const skipsRows =
    groupCount > (isDriven && missing.length === 0 ? 1 : 0) ||
    excluded.length > 0 ||
    (sort.by !== "price" && hasPriceBounds(filters));
  return skipsRows && scanLimit !== undefined ? scanLimit : null;
}

/** The scan's end as the common table `scan_end`, if it has one. */
export const scanEndTables = ({ end }: Scan, limit: SQL = sql`1`): readonly SQL[] =>
  end ? [sql`scan_end (product_id, term_0) as materialized (${end(limit)})`] : [];

/** The WITH clause of these common tables; empty for none. */
export const withClause = (tables: readonly SQL[]): SQL =>
  tables.length === 0 ? sql`` : sql`with ${sql.join([...tables], sql`, `)}`;

/** The scan's rows and, if the scan reached its limit, a row with is_end = 1 at its end. */
export const scanRows = ({ rows, end }: Scan, limit: SQL): SQL =>
  end
    ? sql`select * from (${rows(limit)})
        union all select product_id, term_0, 1 from scan_end`
    : rows(limit);

/**
 * The row is not after the scan's end. Both key columns are compared, so the index is read no
 * further.
 */
export function isBeforeScanEnd(order: KeyOrder): SQL {
  const isAscending = order.direction === "asc";
  // Without an end: a blob sorts after all texts and numbers. A number compared with a name becomes
  // text.
  const smallest = order.by === "name" ? sql`''` : sql`-9e999`;
  return compareKey(order, isAscending ? sql`<=` : sql`>=`, [
    sql`coalesce((select term_0 from scan_end), ${isAscending ? sql`x'ff'` : smallest})`,
    sql`coalesce((select product_id from scan_end), ${isAscending ? sql`x'ff'` : sql`''`})`,
  ]);
}
