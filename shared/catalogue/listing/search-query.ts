import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { products } from "../tables.ts";
import { facetTables, matchesQuery } from "./facet-query.ts";
import { facetFilterFor } from "./facets.ts";
import { orderByKey, pageColumns, pageWindow } from "./keyset-query.ts";
import { priceAt } from "./price-filter-query.ts";
import type { ProductListQuery, ProductSortKey } from "./product-list.ts";

const maxSearchWords = 32;

/** A search as FTS5 expressions over `product_search`, restricted to one business. */
type SearchExpressions = Readonly<{
  /** Every word is in the name, the description or a tag. */
  anywhere: string;
  /** Every word is in the name or a tag. */
  inNameOrTags: string;
  /** Every word is in the name. */
  inName: string;
  /** The name begins with the words. */
  atStartOfName: string;
}>;

/**
 * Null for a search without a letter or digit. Each word is quoted, so that nothing a shopper types
 * is FTS5 syntax; the last word matches as a prefix.
 */
function searchExpressions(business: BusinessRef, search: string): SearchExpressions | null {
  const words = search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxSearchWords)
    .map((word) => `"${word}"`);
  if (words.length === 0) return null;
  // The token that the triggers on products write into the index for the business.
  const ofBusiness = `business : "\u{E000}${business.id.replaceAll("_", "").replaceAll('"', "")}"`;
  const allWords = `(${words.join(" AND ")} *)`;
  return {
    anywhere: `${ofBusiness} AND {name description tags} : ${allWords}`,
    inNameOrTags: `${ofBusiness} AND {name tags} : ${allWords}`,
    inName: `${ofBusiness} AND name : ${allWords}`,
    atStartOfName: `${ofBusiness} AND name : ^ ${words.join(" + ")} *`,
  };
}

/** The condition that a row of products matches a search. */
export function matchesSearch(business: BusinessRef, search: string): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expressions.anywhere})`;
}

/**
 * The rows of a page of a search, with term_1 when it is sorted by relevance. All matching products
 * are sorted, but only by their key values.
 */
export function searchPage(business: BusinessRef, query: ProductListQuery): SQL {
  const { filters, sort } = query;
  const filter = facetFilterFor(filters);
  const productId = sql`product.id`;
  const price = priceAt(filters.locationId, {
    productId,
    price: sql`product.default_price_minor`,
  });
  const order = { ...sort, terms: sortTerms(sort.by, price), productId };
  const { rows, offset } = pageWindow(query);
  return sql`with ${facetTables(business, filter)},
    hits (product, fit) as materialized (
      ${searchHits(business, filters.search ?? "", { isRanked: sort.by === "relevance" })})
    select ${pageColumns(order)} from hits cross join ${products} as product
    where product.rowid = hits.product and +product.business_id = ${business.id}
      and product.is_active = 1 and product.archived_at is null
      and ${matchesQuery(query, { filter, order, price, isDriven: false })}
    order by ${orderByKey(order)} limit ${rows} offset ${offset}`;
}

function sortTerms(by: ProductSortKey, price: SQL): SQL[] {
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
 * Rows of product and fit, from 3 (the name begins with the words) to 0 (they are spread over name,
 * description and tags). The fit depends on the product alone; bm25 depends on all products of all
 * businesses, so a new product would move others across pages.
 */
function searchHits(
  business: BusinessRef,
  search: string,
  { isRanked }: { isRanked: boolean },
): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`select null, 0 where false`;
  const isHit = (expression: string) =>
    sql`(rowid in (select rowid from product_search where product_search match ${expression}))`;
  const fit = isRanked
    ? sql`${isHit(expressions.atStartOfName)} + ${isHit(expressions.inName)}
        + ${isHit(expressions.inNameOrTags)}`
    : sql`0`;
  return sql`select rowid, ${fit} from product_search where product_search match ${expressions.anywhere}`;
}
