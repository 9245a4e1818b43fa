import { type SQL, sql } from "drizzle-orm";
import type { ListQuery, PageStart, ProductSort } from "./listing.ts";

/** A list's order: the terms before the id, and the direction of all of them. */
export type PageOrder = ProductSort & Readonly<{ terms: readonly SQL[]; productId: SQL }>;

/**
 * How an order's terms compare, as the index by name has it: "apple" stands before "Banana". Case
 * counts for letters beyond ASCII, which come last.
 */
const collation = ({ by }: ProductSort): SQL => (by === "name" ? sql`collate nocase` : sql``);

/** What a page's rows hold: product_id, the terms as term_0 and so on, and is_end: these are none. */
export const placeColumns = (order: PageOrder): SQL => sql`${positionColumns(order)}, 0 as is_end`;

/** Of these product_id and the terms. */
export const positionColumns = ({ terms, productId }: PageOrder): SQL =>
  sql.join(
    [
      sql`${productId} as product_id`,
      ...terms.map((term, index) => sql`${term} as ${sql.raw(`term_${index}`)}`),
    ],
    sql`, `,
  );

/** The same order, of rows that `placeColumns` made and that are now called `page`. */
export const orderOfPage = (sort: ProductSort): PageOrder => ({
  ...sort,
  terms: [sql`page.term_0`, ...(sort.by === "relevance" ? [sql`page.term_1`] : [])],
  productId: sql`page.product_id`,
});

export const inOrder = ({ terms, productId, ...sort }: PageOrder): SQL =>
  sql.join(
    [...terms.map((term) => sql`${term} ${collation(sort)}`), productId].map(
      (term) => sql`${term} ${sort.direction === "asc" ? sql`asc` : sql`desc`}`,
    ),
    sql`, `,
  );

/** Strictly after a product's place: what is added meanwhile moves nothing across that line. */
export function behind(order: PageOrder, start: PageStart): SQL {
  if (!("after" in start)) return sql`true`;
  const reached = start.after.map((value) => sql`${value}`);
  return compared(order, order.direction === "asc" ? sql`>` : sql`<`, reached);
}

/**
 * A product's place compared with that of these values, the id's the last. The collation stands with
 * them and not with the terms, or no index would be searched by the place.
 */
export function compared(
  { terms, productId, ...sort }: PageOrder,
  than: SQL,
  values: readonly SQL[],
): SQL {
  const place = sql.join([...terms, productId], sql`, `);
  const other = values.map((value, index) =>
    index < terms.length ? sql`${value} ${collation(sort)}` : value,
  );
  return sql`(${place}) ${than} (${sql.join(other, sql`, `)})`;
}

/** One row more than the page holds tells whether there is another page. */
export const windowOf = ({ limit, start }: Pick<ListQuery, "limit" | "start">) => ({
  rows: limit + 1,
  offset: "offset" in start ? start.offset : 0,
});
