import { type SQL, sql } from "drizzle-orm";
import { products } from "../tables.ts";
import { facetTables, narrowedTo } from "./facet-repo.ts";
import { wantedFacets } from "./facets.ts";
import type { ListQuery, ProductOrder } from "./listing.ts";
import { inOrder, placeColumns, windowOf } from "./page-order-repo.ts";
import { priceAt } from "./product-filter-repo.ts";
import { searchExpressions } from "./product-search.ts";

/**
 * The places of a page of a search, as rows of product_id, term_0 and, by relevance, term_1. All
 * that has the words is read and sorted, by these few values and not by whole products.
 */
export function searchPage(business: { id: string }, query: ListQuery): SQL {
  const { filters, sort } = query;
  const wanted = wantedFacets(filters);
  const productId = sql`product.id`;
  const price = priceAt(filters.locationId, {
    productId,
    price: sql`product.default_price_minor`,
  });
  const order = { ...sort, terms: termsOf(sort.by, price), productId };
  const { rows, offset } = windowOf(query);
  return sql`with ${facetTables(business, wanted)},
    hits (product, fit) as materialized (
      ${hits(business, filters.search ?? "", sort.by === "relevance")})
    select ${placeColumns(order)} from hits cross join ${products} as product
    where product.rowid = hits.product and +product.business_id = ${business.id}
      and product.is_active = 1 and product.archived_at is null
      and ${narrowedTo(query, { wanted, order, price, isDriven: false })}
    order by ${inOrder(order)} limit ${rows} offset ${offset}`;
}

function termsOf(by: ProductOrder, price: SQL): SQL[] {
  switch (by) {
    case "name":
      return [sql`product.name`];
    case "price":
      return [price];
    case "created_at":
      return [sql`product.created_at`];
    case "popularity":
      return [sql`product.popularity`];
    case "relevance":
      return [sql`hits.fit`, sql`product.created_at`];
  }
}

/**
 * How well a product fits the words, from 3 (its name begins with them) to 0 (they are spread over
 * name, description and tags). It depends on the product alone: bm25 weighs words by all products
 * of all businesses, so that one that is added would move the others across pages.
 */
function hits(business: { id: string }, search: string, isWeighed: boolean): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`select null, 0 where false`;
  const fits = (expression: string) =>
    sql`(rowid in (select rowid from product_search where product_search match ${expression}))`;
  const fit = isWeighed
    ? sql`${fits(expressions.atStartOfName)} + ${fits(expressions.inName)}
        + ${fits(expressions.inNameOrTags)}`
    : sql`0`;
  return sql`select rowid, ${fit} from product_search where product_search match ${expressions.anywhere}`;
}
