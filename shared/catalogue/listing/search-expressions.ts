import type { BusinessRef } from "../catalogue-version-repo.ts";

/**
 * How well a product fits a search: 3 when its name begins with the words, 2 when all words are in
 * the name, 1 when they are in the name or a tag, 0 otherwise.
 */
export type Fit = 3 | 2 | 1 | 0;

/** A search as FTS5 expressions over `product_search`, restricted to one business. */
export type SearchExpressions = Readonly<{
  /** Matches when every word is in the name, the description or a tag. */
  anywhere: string;
  /** Matches the products of each fit, the best first. No product has two fits. */
  byFit: readonly FitExpression[];
}>;

export type FitExpression = Readonly<{ fit: Fit; expression: string }>;

const maxSearchWords = 32;

/**
 * The FTS5 expressions of a search; null when the search has no letter or digit. Each word is
 * quoted, because a shopper's input must not be read as FTS5 syntax. The last word matches as a
 * prefix.
 */
export function searchExpressions(business: BusinessRef, search: string): SearchExpressions | null {
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
