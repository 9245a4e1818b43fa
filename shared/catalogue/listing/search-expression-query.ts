import { type SQL, sql } from "drizzle-orm";
import type { BusinessRef } from "../catalogue-version-repo.ts";
import { productFacetCounts, products } from "../tables.ts";
import { facets } from "./facet-query.ts";
import type { ProductListQuery } from "./product-list.ts";

/**
 * How well a product fits a search: 3 when its name begins with the words, 2 when all words are in
 * the name, 1 when they are in the name or a tag, 0 otherwise.
 */
type Fit = 3 | 2 | 1 | 0;

/** A search as FTS5 expressions over `product_search`, restricted to one business. */
type SearchExpressions = Readonly<{
  /** Matches when the name begins with the words. */
  atStartOfName: string;
  /** Matches when every word is in the name. */
  inName: string;
  /** Matches when every word is in the name or a tag. */
  inNameOrTags: string;
  /** Matches when every word is in the name, the description or a tag. */
  anywhere: string;
}>;

/** The last word of a search in FTS5 syntax. */
type LastWord = Readonly<{
  /** Matches where the word, or a word that begins with it, occurs. */
  word: string;
  /** Matches a column that begins with all words of the search. */
  start: string;
}>;

const maxSearchWords = 32;

/**
 * With more terms that begin with the last word, FTS5 searches for the prefix. An expression with
 * this many terms costs less than FTS5's prefix search in an index of 1,000 products.
 */
const maxTerms = 16;

/** Prefixes of up to this many characters have an index of their own in `product_search`. */
const maxIndexedPrefix = 3;

/** Placeholders that no quoted word contains. SQL replaces them by the terms it finds. */
const placeholders: LastWord = { word: "<word>", start: "<start>" };

/** The expression that matches a search anywhere; null when it has no letter or digit. */
export function anywhereExpression(business: BusinessRef, search: string): string | null {
  const words = searchWords(search);
  return words.length === 0 ? null : expressionsFor(business, words, prefixOf(words)).anywhere;
}

/**
 * Tables for a WITH clause. The last one, `searched`, has the FTS5 expressions whose hits can be on
 * the page with their fits, the best first. No product has two fits. bm25 is not used, because it
 * depends on the products of all businesses. A new product would then move others to other pages.
 */
export function searchedTables(
  business: BusinessRef,
  { filters, sort, start }: ProductListQuery,
): readonly SQL[] {
  const words = searchWords(filters.search ?? "");
  if (words.length === 0) return [sql`searched (fit, expression) as (select 0, '' where false)`];
  const expressions = expressionsFor(business, words, placeholders);
  const [fitAtStart = 3] = sort.by === "relevance" && "after" in start ? start.after : [];
  return [
    ...lastWordTables(words),
    ...(sort.by === "relevance"
      ? fitTables(business, expressions, {
          maxFit: Number(fitAtStart),
          inNameByPrefix: expressionsFor(business, words, prefixOf(words)).inName,
        })
      : [
          sql`searched (fit, expression) as materialized (
            select 0, ${withLastWord(expressions.anywhere)} from last_word)`,
        ]),
  ];
}

/**
 * Tables for a WITH clause. The last one is `searched`. An expression without hits is read to its
 * end, so it is read once here, and not again as a part of the others.
 *
 * @param maxFit the best fit that is needed.
 * @param inNameByPrefix the same as `inName`, with the last word as a prefix.
 */
function fitTables(
  business: BusinessRef,
  { atStartOfName, inName, inNameOrTags, anywhere }: SearchExpressions,
  { maxFit, inNameByPrefix }: Readonly<{ maxFit: number; inNameByPrefix: string }>,
): readonly SQL[] {
  const hasHits = (expression: SQL): SQL => sql`exists (
    select 1 from product_search where product_search match ${expression})`;
  const inNameByPrefixOrTerms = sql`iif(${isMajor(business)}, ${inNameByPrefix}, ${withLastWord(inName)})`;
  const exceptIf = (condition: SQL, expression: string): SQL =>
    sql`iif(${condition}, ${withLastWord(` NOT (${expression})`)}, '')`;
  const anyInNameOrTags = sql`(select in_name_or_tags from found_hits)`;
  const anyInName = sql`(select in_name from found_hits)`;
  const byFit: Readonly<Record<Fit, SQL>> = {
    3: sql`${withLastWord(atStartOfName)} from last_word where ${anyInName}`,
    2: sql`${withLastWord(`(${inName}) NOT (${atStartOfName})`)} from last_word where ${anyInName}`,
    1: sql`${withLastWord(`(${inNameOrTags})`)} || ${exceptIf(anyInName, inName)}
      from last_word where ${anyInNameOrTags}`,
    0: sql`${withLastWord(`(${anywhere})`)} || ${exceptIf(anyInNameOrTags, inNameOrTags)} from last_word`,
  };
  const needed = ([3, 2, 1, 0] as const).filter((fit) => fit <= maxFit);
  return [
    sql`tag_hits (are_found) as materialized (select ${hasHits(withLastWord(inNameOrTags))} from last_word)`,
    sql`found_hits (in_name_or_tags, in_name) as materialized (
      select are_found, are_found and ${hasHits(inNameByPrefixOrTerms)} from last_word, tag_hits)`,
    sql`searched (fit, expression) as materialized (
      ${sql.join(
        needed.map((fit) => sql`select ${sql.raw(String(fit))}, ${byFit[fit]}`),
        sql` union all `,
      )})`,
  ];
}

/**
 * Whether the business has most products of its shard, as far as their highest rowid tells. Then FTS5 finds inNameByPrefixOrTerms that a prefix is in
 * no name than that the terms are in none of this business.
 */
const isMajor = (business: BusinessRef): SQL => sql`(
  select coalesce(sum(counted.products), 0) * 2 > (select max(rowid) from ${products})
  from ${productFacetCounts} as counted
  where counted.business_id = ${business.id}
    and counted.facet in (${facets.uncounted}, ${facets.inStock}, ${facets.outOfStock}))`;

/** An expression in which SQL replaces the placeholders of the last word. */
const withLastWord = (expression: string): SQL =>
  sql`replace(replace(${expression}, ${placeholders.word}, last_word.word),
    ${placeholders.start}, last_word.start)`;

/**
 * Tables for a WITH clause. The last one, `last_word`, has one row with the columns of `LastWord`.
 * FTS5 reads a prefix without an index as a whole, for the products of all businesses. It reads
 * terms only as far as needed, so the prefix is replaced by the terms that begin with it.
 */
function lastWordTables(words: readonly string[]): readonly SQL[] {
  const prefix = prefixOf(words);
  const last = words.at(-1) ?? "";
  // The index has terms without capitals and accents, which only FTS5 removes as it does.
  if (last.length <= maxIndexedPrefix || !/^[A-Za-z0-9]+$/.test(last)) {
    return [sql`last_word (word, start) as (select ${prefix.word}, ${prefix.start})`];
  }
  const lowestTerm = last.toLowerCase();
  const isInRange = sql`term < ${lowestTerm} || char(1114111)`;
  const startWords = words.slice(0, -1).map((word) => `"${word}" + `);
  return [
    sql`terms (term) as (
      select * from (
        select term from product_search_terms where term >= ${lowestTerm} and ${isInRange} limit 1)
      union all
      select (
        select found.term from product_search_terms as found
        where found.term >= terms.term || char(1) and found.${isInRange} limit 1)
      from terms where terms.term is not null
      limit ${sql.raw(String(maxTerms + 1))})`,
    sql`last_word (word, start) as materialized (
      select iif(count(term) between 1 and ${maxTerms},
          '(' || group_concat('"' || term || '"', ' OR ') || ')', ${prefix.word}),
        iif(count(term) between 1 and ${maxTerms},
          '(' || group_concat(${`^ ${startWords.join("")}"`} || term || '"', ' OR ') || ')', ${prefix.start})
      from terms)`,
  ];
}

/** The words of a search. Only letters, digits and marks remain, so that quotes are not needed. */
const searchWords = (search: string): readonly string[] =>
  search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxSearchWords);

/** The last word as a prefix. */
const prefixOf = (words: readonly string[]): LastWord => ({
  word: `"${words.at(-1) ?? ""}" *`,
  start: `^ ${words.map((word) => `"${word}"`).join(" + ")} *`,
});

/**
 * The FTS5 expressions of a search. Each word is quoted, because a shopper's input must not be read
 * as FTS5 syntax.
 */
function expressionsFor(
  business: BusinessRef,
  words: readonly string[],
  last: LastWord,
): SearchExpressions {
  // The triggers on products add this text to the index, so that a search finds one business only.
  const ofBusiness = `business : "\u{E000}${business.id.replaceAll("_", "").replaceAll('"', "")}"`;
  const allWords = `(${[...words.slice(0, -1).map((word) => `"${word}"`), last.word].join(" AND ")})`;
  const columns = (names: string, expression: string): string =>
    `${ofBusiness} AND ${names} : ${expression}`;
  return {
    atStartOfName: columns("name", last.start),
    inName: columns("name", allWords),
    inNameOrTags: columns("{name tags}", allWords),
    anywhere: columns("{name description tags}", allWords),
  };
}
