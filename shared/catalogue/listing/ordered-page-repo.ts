import { type SQL, sql } from "drizzle-orm";
import { products } from "../tables.ts";
import { candidatesOr, productOrder } from "./candidate-page-repo.ts";
import { facetTables, narrowedTo } from "./facet-repo.ts";
import { wantedFacets } from "./facets.ts";
import type { ListQuery, ProductOrder } from "./listing.ts";
import { inOrder, placeColumns, windowOf } from "./page-order-repo.ts";
import { hasPriceBounds } from "./product-filter-repo.ts";

const indexes = {
  name: sql`products_by_name`,
  popularity: sql`products_by_popularity`,
  created_at: sql`products_newest`,
  price: sql`products_by_price`,
} as const satisfies Partial<Record<ProductOrder, SQL>>;

/**
 * The places of a page of a list that is read along the products themselves, as rows of product_id
 * and term_0: what is narrowed by nothing, and by name or popularity, which facets are not ordered
 * by, whatever is not little.
 */
export function orderedPage(
  business: { id: string },
  query: ListQuery,
  by: keyof typeof indexes,
): SQL {
  const wanted = wantedFacets(query.filters);
  const { order, price } = productOrder(query);
  const { rows, offset } = windowOf(query);
  // As the conditions of the partial indexes are written.
  const walk = (limit: SQL) => sql`
    select ${placeColumns(order)} from ${products} as product indexed by ${indexes[by]}
    where product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null
      and ${narrowedTo(query, { wanted, order, price, isDriven: false })}
    order by ${inOrder(order)} limit ${limit} offset ${offset}`;
  const isBounded = by !== "price" && hasPriceBounds(query.filters);
  return wanted.isEverything && !isBounded
    ? walk(sql`${rows}`)
    : sql`with ${facetTables(business, wanted)}, ${candidatesOr(business, query, walk)}`;
}
