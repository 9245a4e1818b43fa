import { type SQL, sql } from "drizzle-orm";
import { products } from "../tables.ts";
import { candidatesOr, productOrder } from "./candidate-page-repo.ts";
import { narrowedTo } from "./facet-repo.ts";
import { wantedFacets } from "./facets.ts";
import type { ListQuery, ProductOrder } from "./listing.ts";
import { behind, inOrder, placeColumns, positionColumns, windowOf } from "./page-order-repo.ts";
import { hasPriceBounds, withinPrices } from "./product-filter-repo.ts";
import { beforeEnd, endTables, reachOf, type Walk, walkedTo, withTables } from "./reach-repo.ts";

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
  const isBounded = by !== "price" && hasPriceBounds(query.filters);
  const walk = walkOf(business, query, by);
  if (!wanted.isEverything || isBounded) return candidatesOr(business, query, walk);
  const { rows } = windowOf(query);
  return sql`${withTables(endTables(walk))} ${walkedTo(walk, sql`${rows}`)}`;
}

function walkOf(business: { id: string }, query: ListQuery, by: keyof typeof indexes): Walk {
  const { filters, start } = query;
  const wanted = wantedFacets(filters);
  const { order, price } = productOrder(query);
  const { offset } = windowOf(query);
  const isDriven = false;
  const reach = reachOf(query, wanted, { isDriven });
  // As the conditions of the partial indexes are written.
  const listed = sql`from ${products} as product indexed by ${indexes[by]}
    where product.business_id = ${business.id} and product.is_active = 1
      and product.archived_at is null`;
  return {
    places: (rows) => sql`select ${placeColumns(order)} ${listed}
      and ${narrowedTo(query, { wanted, order, price, isDriven })}
      ${reach === null ? sql`` : sql`and ${beforeEnd(order)}`}
      order by ${inOrder(order)} limit ${rows} offset ${offset}`,
    end:
      reach === null
        ? null
        : (rows) => sql`select ${positionColumns(order)} ${listed} and ${behind(order, start)}
        ${by === "price" ? sql`and ${withinPrices(price, filters)}` : sql``}
        order by ${inOrder(order)} limit ${rows} offset ${reach - 1}`,
  };
}
