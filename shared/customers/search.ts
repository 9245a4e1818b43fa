import { normalizePhone } from "./contact.ts";

const maxWords = 10;

/**
 * A merchant's search as an FTS5 expression over `customer_search`, limited to one business. Each
 * word matches the beginning of a word of the name, e-mail address or phone number. Null when the
 * search contains no word.
 */
export function searchExpression(
  { id, defaultCountry }: { id: string; defaultCountry: string },
  search: string,
): string | null {
  const words = searchWords(search, defaultCountry);
  if (words.length === 0) return null;
  // The search triggers write this text for each business, so that a search finds one business
  // only.
  const businessTerm = `business : "\u{E000}${id.replaceAll(/[_"]/g, "")}"`;
  return `${businessTerm} AND {name email phone} : (${words.map((word) => `"${word}" *`).join(" AND ")})`;
}

/**
 * The words of a search. A phone number is one word, even with spaces. A complete number is
 * converted to E.164.
 */
function searchWords(search: string, defaultCountry: string): string[] {
  if (/^[\d\s()+./-]+$/.test(search)) {
    const digits = (normalizePhone(search, defaultCountry) ?? search).replaceAll(/\D/g, "");
    return digits === "" ? [] : [digits];
  }
  return search
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
    .slice(0, maxWords);
}
