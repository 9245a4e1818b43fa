import { normalizePhone } from "./contact.ts";

const maxWords = 10;

/**
 * A merchant's search as an FTS5 expression over `customer_search`, limited to one business. Each
 * word is a quoted prefix of a word of the name, e-mail address or phone number. Null when there is
 * no word.
 */
export function searchExpression(
  { id, defaultCountry }: { id: string; defaultCountry: string },
  search: string,
): string | null {
  const words = searchWords(search, defaultCountry);
  if (words.length === 0) return null;
  // The token that the search triggers write for a business.
  const businessTerm = `business : "\u{E000}${id.replaceAll(/[_"]/g, "")}"`;
  return `${businessTerm} AND {name email phone} : (${words.map((word) => `"${word}" *`).join(" AND ")})`;
}

/** A phone number is one word however it is spaced, and E.164 when it is complete. */
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
