import { normalisedPhone } from "./contact.ts";

const maxWords = 10;

/**
 * A merchant's search as an FTS5 expression over `customer_search`, scoped to one business: every
 * word begins a word of the name, the e-mail address or the phone. Each is quoted, so that nothing
 * typed is syntax. Null when there is no word to look for.
 */
export function searchExpression(
  { id, defaultCountry }: { id: string; defaultCountry: string },
  search: string,
): string | null {
  const words = wordsOf(search, defaultCountry);
  if (words.length === 0) return null;
  // The token that the triggers of the migration customer_search write for a business.
  const scope = `business : "\u{E000}${id.replaceAll(/[_"]/g, "")}"`;
  return `${scope} AND {name email phone} : (${words.map((word) => `"${word}" *`).join(" AND ")})`;
}

/** A phone number counts as one word, however it was spaced, and in E.164 where it is whole. */
function wordsOf(search: string, defaultCountry: string): string[] {
  if (/^[\d\s()+./-]+$/.test(search)) {
    const digits = (normalisedPhone(search, defaultCountry) ?? search).replaceAll(/\D/g, "");
    return digits === "" ? [] : [digits];
  }
  return search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxWords);
}
