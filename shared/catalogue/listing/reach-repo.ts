import { type SQL, sql } from "drizzle-orm";
import type { WantedFacets } from "./facets.ts";
import type { ListQuery } from "./listing.ts";
import { compared, inOrder, type PageOrder } from "./page-order-repo.ts";
import { hasPriceBounds } from "./product-filter-repo.ts";

/** Some of a page's places, up to so many rows. */
type Places = (rows: SQL) => SQL;

/**
 * A walk in a list's order that may leave much of it out: its places, and the place at which it ends
 * whatever it found; null where it goes on until the page is full.
 */
export type Walk = Readonly<{ places: Places; end: Places | null }>;

/**
 * How many products a page's walk looks at; null where it leaves none out, or where its page is to be
 * filled.
 *
 * @param isDriven the walk is along the driver's facets, whose group is not asked again.
 */
export function reachOf(
  { filters, sort, reach }: ListQuery,
  { groupCount, lacking, absent }: WantedFacets,
  { isDriven }: { isDriven: boolean },
): number | null {
  const leavesOut =
    groupCount > (isDriven && lacking.length === 0 ? 1 : 0) ||
    absent.length > 0 ||
    (sort.by !== "price" && hasPriceBounds(filters));
  return leavesOut && reach !== undefined ? reach : null;
}

/** A walk's end as a common table, should it have one. */
export const endTables = ({ end }: Walk, rows: SQL = sql`1`): readonly SQL[] =>
  end ? [sql`reach_end (product_id, term_0) as materialized (${end(rows)})`] : [];

/** The WITH clause of these common tables; nothing for none. */
export const withTables = (tables: readonly SQL[]): SQL =>
  tables.length === 0 ? sql`` : sql`with ${sql.join([...tables], sql`, `)}`;

/** The walk's places, and behind all of them its end, should it have come so far. */
export const walkedTo = ({ places, end }: Walk, rows: SQL): SQL =>
  end
    ? sql`select * from (${places(rows)})
        union all select product_id, term_0, 1 from reach_end`
    : places(rows);

/** Not behind the walk's end. Both of its values are compared, so that an index is read so far and no further. */
export function beforeEnd(order: PageOrder): SQL {
  const isAscending = order.direction === "asc";
  // Where there is no end: a blob is more than any text or number. Beside a name a number becomes a text.
  const least = order.by === "name" ? sql`''` : sql`-9e999`;
  return compared(order, isAscending ? sql`<=` : sql`>=`, [
    sql`coalesce((select term_0 from reach_end), ${isAscending ? sql`x'ff'` : least})`,
    sql`coalesce((select product_id from reach_end), ${isAscending ? sql`x'ff'` : sql`''`})`,
  ]);
}

/** In the order of a list, with an end behind the product that it is at. */
export const inOrderToEnd = (order: PageOrder): SQL => sql`${inOrder(order)}, is_end asc`;
