const maxWords = 32;

/**
 * A search as FTS5 expressions over `product_search`, scoped to one business. Each word is quoted,
 * so that nothing a shopper types is syntax; the last one matches as a prefix (completions.md 4).
 */
export type SearchExpressions = Readonly<{
  /** Every word somewhere. */
  anywhere: string;
  /** Every word in the name or a tag, in the name, and the name beginning with them in a row. */
  inNameOrTags: string;
  inName: string;
  atStartOfName: string;
}>;

/** Null when there is no word to look for. */
export function searchExpressions(
  business: { id: string },
  search: string,
): SearchExpressions | null {
  const words = search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxWords)
    .map((word) => `"${word}"`);
  if (words.length === 0) return null;
  // The token that the triggers of the migration product_search write for a business.
  const scope = `business : "\u{E000}${business.id.replaceAll("_", "").replaceAll('"', "")}"`;
  const all = `(${words.join(" AND ")} *)`;
  return {
    anywhere: `${scope} AND {name description tags} : ${all}`,
    inNameOrTags: `${scope} AND {name tags} : ${all}`,
    inName: `${scope} AND name : ${all}`,
    atStartOfName: `${scope} AND name : ^ ${words.join(" + ")} *`,
  };
}
