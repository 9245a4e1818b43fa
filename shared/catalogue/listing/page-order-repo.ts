import { type SQL, sql } from "drizzle-orm";
import type { ListQuery, PageStart, ProductSort } from "./listing.ts";

/** A list's order: the terms before the id, and the direction of all of them. */
export type PageOrder = Readonly<{
  terms: readonly SQL[];
  productId: SQL;
  direction: ProductSort["direction"];
}>;

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
export const orderOfPage = ({ by, direction }: ProductSort): PageOrder => ({
  terms: [sql`page.term_0`, ...(by === "relevance" ? [sql`page.term_1`] : [])],
  productId: sql`page.product_id`,
  direction,
});

export const inOrder = ({ terms, productId, direction }: PageOrder): SQL =>
  sql.join(
    [...terms, productId].map((term) => sql`${term} ${direction === "asc" ? sql`asc` : sql`desc`}`),
    sql`, `,
  );

/** Strictly after a product's place: what is added meanwhile moves nothing across that line. */
export function behind({ terms, productId, direction }: PageOrder, start: PageStart): SQL {
  if (!("after" in start)) return sql`true`;
  const reached = start.after.map((value) => sql`${value}`);
  const than = direction === "asc" ? sql`>` : sql`<`;
  return sql`(${sql.join([...terms, productId], sql`, `)}) ${than} (${sql.join(reached, sql`, `)})`;
}

/** One row more than the page holds tells whether there is another page. */
export const windowOf = ({ limit, start }: Pick<ListQuery, "limit" | "start">) => ({
  rows: limit + 1,
  offset: "offset" in start ? start.offset : 0,
});
