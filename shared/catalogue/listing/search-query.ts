import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacets, products } from "../tables.ts";
import {
  drivingProductCount,
  type FacetFilter,
  facetFilterFor,
  facetTables,
} from "./facet-query.ts";
import type { ProductListQuery } from "./product-list.ts";
import {
  hasPriceBounds,
  isAfterStart,
  isWithinPrices,
  type KeyOrder,
  matchesQuery,
  orderByKey,
  pageColumns,
  pageWindow,
  productIndexes,
  productOrder,
  withClause,
} from "./scan-query.ts";

/** Up to this many hits are read and sorted. With more, an index of the products is scanned. */
const maxSortedHits = 1_000;

/** The scan stops when the filters reject this many hits. */
const maxRejectedHits = 1_000;

/** With at most this many products under the driving facets, only hits among these are sorted. */
const maxDrivingProducts = 10_000;

/** A number in the SQL text. SQLite compiles a statement twice when a LIMIT is a parameter. */
const literal = (value: number): SQL => sql.raw(String(value));

/** The condition that a product matches a search. */
export function matchesSearch(business: BusinessRef, search: string): SQL {
  const expressions = searchExpressions(business, search);
  if (!expressions) return sql`false`;
  return sql`${products}.rowid in (
    select rowid from product_search where product_search match ${expressions.anywhere})`;
}

/**
 * Selects a page of a search. Few hits are sorted. With many, the products are read in the list's
 * order until hits fill the page, and all hits are sorted only when that does not fill it.
 */
export function searchPage(business: BusinessRef, query: ProductListQuery): SQL {
  const filter = facetFilterFor(query.filters);
  const expressions = fitExpressions(business, query);
  const index = scanIndexFor(query);
  return sql`${withClause([
    ...(filter.isUnfiltered ? [] : [facetTables(business, filter)]),
    ...(index === null
      ? [hitsTable(searchHits(expressions))]
      : neededHitsTables(business, query, { filter, expressions, index })),
  ])} ${sortedHits(business, query)}`;
}

/** The index that has the products in the list's order; null for prices at a location. */
const scanIndexFor = ({ filters, sort }: ProductListQuery): SQL | null =>
  sort.by === "price" && filters.locationId !== null
    ? null
    : productIndexes[sort.by === "relevance" ? "created_at" : sort.by];

type SearchScan = Readonly<{
  filter: FacetFilter;
  expressions: readonly FitExpression[];
  /** The index that has the products in the list's order. */
  index: SQL;
}>;

/**
 * Tables for a WITH clause. The last one, `hits`, has all hits that can be on the page. When the
 * scan fills the page, these are the hits of a better fit and those that it found.
 */
function neededHitsTables(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, expressions, index }: SearchScan,
): SQL[] {
  const { rows, offset } = pageWindow(query);
  const isFull = sql`(select is_full from scan_result)`;
  return [
    ...(filter.isUnfiltered
      ? []
      : [sql`driving_size (products) as materialized (select ${drivingProductCount(business)})`]),
    sql`first_hits (product, fit) as materialized (
      ${searchHits(expressions, { limit: literal(maxSortedHits + 1) })})`,
    // Empty when first_hits has all hits. Otherwise, it has all hits of a better fit than this.
    sql`scanned_fit (fit) as materialized (
      select min(fit) from first_hits having count(*) > ${maxSortedHits})`,
    sql`scanned (product) as materialized (
      ${scannedHits(business, query, { filter, expressions, index })})`,
    sql`scan_result (is_full) as materialized (
      select ${scannedFit} is null or (select count(*) from scanned) = ${rows + offset})`,
    hitsTable(sql`
      select product, fit from first_hits where ${isFull} and fit > coalesce(${scannedFit}, -1)
      union all select product, ${scannedFit} from scanned where ${isFull}
      union all select * from (${searchHits(expressions, {
        condition: filter.isUnfiltered ? sql`true` : isDrivenUnlessMany(business),
        limit: sql`iif(${isFull}, 0, -1)`,
      })})`),
  ];
}

const scannedFit = sql`(select fit from scanned_fit)`;

/**
 * The expressions whose hits can be on the page, the best fit first. bm25 is not used, because it
 * depends on the products of all businesses. A new product would then move others to other pages.
 */
function fitExpressions(
  business: BusinessRef,
  { filters, sort, start }: ProductListQuery,
): readonly FitExpression[] {
  const expressions = searchExpressions(business, filters.search ?? "");
  if (!expressions) return [];
  if (sort.by !== "relevance") return [{ fit: 0, expression: expressions.anywhere }];
  if (!("after" in start)) return expressions.byFit;
  const [fitAtStart = 0] = start.after;
  return expressions.byFit.filter(({ fit }) => fit <= Number(fitAtStart));
}

/** A table of the rowids and fits of hits, which `sortedHits` reads. */
const hitsTable = (hits: SQL): SQL => sql`hits (product, fit) as materialized (${hits})`;

/** Selects rowid and fit of the hits, the best fit first, because a cross join keeps its order. */
const searchHits = (
  expressions: readonly FitExpression[],
  { limit = sql`-1`, condition = sql`true` }: { limit?: SQL; condition?: SQL } = {},
): SQL => sql`
  select found.rowid, searched.value ->> 'fit'
  from json_each(${JSON.stringify(expressions)}) as searched cross join product_search as found
  where found.product_search match searched.value ->> 'expression' and ${condition}
  limit ${limit}`;

/** The condition that the driving facets have the row `found`; true when they have many products. */
const isDrivenUnlessMany = (business: BusinessRef): SQL => sql`(
  (select products from driving_size) > ${maxDrivingProducts} or found.rowid in (
    select product.rowid from driving
      cross join ${productFacets} as listed indexed by product_facets_newest
      cross join ${products} as product
    where listed.business_id = ${business.id} and listed.facet = driving.facet
      and product.id = listed.product_id))`;

/** Sorts the products of the table `hits`. Reads only the key values, because it reads all hits. */
function sortedHits(business: BusinessRef, query: ProductListQuery): SQL {
  const filter = facetFilterFor(query.filters);
  const { order, price } = productOrder(query, { fit: sql`hits.fit` });
  const { rows, offset } = pageWindow(query);
  return sql`select ${pageColumns(order)} from hits cross join ${products} as product
    where product.rowid = hits.product and +product.business_id = ${business.id}
      and product.is_active = 1 and product.archived_at is null
      and ${matchesQuery(query, { filter, order, price, isDriven: false })}
    order by ${orderByKey(order)} limit ${literal(rows)} offset ${literal(offset)}`;
}

/**
 * Selects the first hits of `scanned_fit` in the list's order that the filters accept. The set of
 * these hits is built once, which is cheaper than reading their products.
 */
function scannedHits(
  business: BusinessRef,
  query: ProductListQuery,
  { filter, expressions, index }: SearchScan,
): SQL {
  const { filters, sort, start } = query;
  const { rows, offset } = pageWindow(query);
  const product = scanOrder(query, sql`product`);
  const hit = scanOrder(query, sql`hit`);
  const isAfter =
    sort.by === "relevance" ? isAfterStartInFit(start) : isAfterStart(product.order, start);
  const isScanned = filter.isUnfiltered
    ? sql`${scannedFit} is not null`
    : sql`${scannedFit} is not null and (select products from driving_size) > ${maxSortedHits}`;
  const areRejected = !filter.isUnfiltered || filter.excluded.length > 0 || hasPriceBounds(filters);
  const limit = rows + offset + (areRejected ? maxRejectedHits : 0);
  const fromFirst = { filters, start: { offset: 0 } };
  return sql`select hit.product from (
      select product.rowid as product, product.id, product.name, product.created_at,
        product.popularity, product.default_price_minor
      from ${products} as product indexed by ${index}
      where product.business_id = ${business.id} and product.is_active = 1
        and product.archived_at is null and ${isAfter}
        and ${sort.by === "price" ? isWithinPrices(product.price, filters) : sql`true`}
        and product.rowid in (
          select rowid from product_search where product_search match (
            select value ->> 'expression' from json_each(${JSON.stringify(expressions)})
            where value ->> 'fit' = ${scannedFit}))
      order by ${orderByKey(product.order)} limit iif(${isScanned}, ${limit}, 0)) as hit
    where ${matchesQuery(fromFirst, { filter, ...hit, isDriven: false })}
    order by ${orderByKey(hit.order)} limit ${literal(rows + offset)}`;
}

/** The list's order for hits of the same fit, without the fit, so that an index has this order. */
function scanOrder(query: ProductListQuery, table: SQL): { order: KeyOrder; price: SQL } {
  const { order, price } = productOrder(query, { table, fit: scannedFit });
  const terms = query.sort.by === "relevance" ? order.terms.slice(1) : order.terms;
  return { order: { ...order, terms }, price };
}

/** The condition that a product of `scanned_fit` is after the start, as a range of the index. */
function isAfterStartInFit(start: ProductListQuery["start"]): SQL {
  if (!("after" in start)) return sql`true`;
  const [fitAtStart, createdAt, productId] = start.after;
  return sql`(product.created_at, product.id) <
    (iif(${scannedFit} < ${fitAtStart}, 9e999, ${createdAt}), ${productId})`;
}

/**
 * How well a product fits a search: 3 when its name begins with the words, 2 when all words are in
 * the name, 1 when they are in the name or a tag, 0 otherwise.
 */
type Fit = 3 | 2 | 1 | 0;

/** A search as FTS5 expressions over `product_search`, restricted to one business. */
type SearchExpressions = Readonly<{
  /** Matches when every word is in the name, the description or a tag. */
  anywhere: string;
  /** Matches the products of each fit, the best first. No product has two fits. */
  byFit: readonly FitExpression[];
}>;

type FitExpression = Readonly<{ fit: Fit; expression: string }>;

const maxSearchWords = 32;

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
  const atStartOfName = `name : ^ ${words.join(" + ")} *`;
  const inName = `name : ${allWords}`;
  const inNameOrTags = `{name tags} : ${allWords}`;
  const anywhere = `${ofBusiness} AND {name description tags} : ${allWords}`;
  return {
    anywhere,
    byFit: [
      { fit: 3, expression: `${ofBusiness} AND ${atStartOfName}` },
      { fit: 2, expression: `(${ofBusiness} AND ${inName}) NOT ${atStartOfName}` },
      { fit: 1, expression: `(${ofBusiness} AND ${inNameOrTags}) NOT ${inName}` },
      { fit: 0, expression: `(${anywhere}) NOT ${inNameOrTags}` },
    ],
  };
}
