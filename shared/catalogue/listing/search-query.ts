import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { products } from "../tables.ts";
import { facetTables, matchesQuery } from "./facet-query.ts";
import { facetFilterFor } from "./facets.ts";
import { orderByKey, pageColumns, pageWindow, priceAt } from "./keyset-query.ts";
import type { ProductListQuery, ProductSortKey } from "./product-list.ts";

const maxSearchWords = 32;

/** A search as FTS5 expressions over `product_search`, restricted to one business. */
type SearchExpressions = Readonly<{
  /** Matches when every word is in the name, the description or a tag. */
  anywhere: string;
  /** Matches when every word is in the name or a tag. */
  inNameOrTags: string;
  /** Matches when every word is in the name. */
  inName: string;
  /** Matches when the name begins with the words. */
  atStartOfName: string;
}>;

/**
 * The FTS5 expressions of a search; null when the search has no letter or digit. Each word is
 * quoted, because a shopper's input must not be read as FTS5 syntax. The last word matches as a
 * prefix.
 */
function searchExpressions(business: BusinessRef, search: string): SearchExpressions | null {
  const words = search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxSearchWords)
    .map((word) => `"${word}"`);
  if (words.length === 0) return null;
  // The triggers on products add this text to the index, so that a search finds one business only.
  const ofBusiness = `business : "\u{E000}${business.id.replaceAll("_", "").replaceAll('"', "")}"`;
  const allWords = `(${words.join(" AND ")} *)`;
  return {
    anywhere: `${ofBusiness} AND {name description tags} : ${allWords}`,
    inNameOrTags: `${ofBusiness} AND {name tags} : ${allWords}`,
    inName: `${ofBusiness} AND name : ${allWords}`,
    atStartOfName: `${ofBusiness} AND name : ^ ${words.join(" + ")} *`,
  };
}

/** The condition that a product matches a search. */
export function matchesSearch(business: BusinessRef, search: string): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expressions.anywhere})`;
}

/**
 * Selects a page of a search. The sort reads only the key values, because it sorts all matching
 * products.
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
 * Selects the matching products and their fit: from 3 (the name begins with the words) to 0 (the
 * words are spread). bm25 is not used, because it depends on the products of all businesses. A new
 * product would then move others to other pages.
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
