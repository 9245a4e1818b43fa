import type { Order } from "./order.ts";

const maxSearchWords = 5;

/**
 * Normalizes a word for the search: no diacritics, lower case. Stored and searched words must
 * match.
 */
const normalizeTerm = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

const wordsIn = (text: string): string[] =>
  normalizeTerm(text)
    .split(/\s+/)
    .filter((word) => word !== "");

type SearchableOrder = Pick<Order, "customerName" | "customerEmail" | "customerPhone">;

/**
 * The terms by which a search finds an order, in addition to its number: the words of the name, the
 * e-mail address and the phone.
 */
export const searchTermsOf = ({
  customerName,
  customerEmail,
  customerPhone,
}: SearchableOrder): readonly string[] => [
  ...new Set([
    ...wordsIn(customerName ?? ""),
    ...[customerEmail, customerPhone].flatMap((contact) =>
      contact ? [normalizeTerm(contact)] : [],
    ),
  ]),
];

/**
 * A parsed search. An order matches by one of the numbers, or when every word is the beginning of
 * one of its terms.
 */
export type OrderSearch = Readonly<{ numbers: readonly string[]; words: readonly string[] }>;

/**
 * Parses a merchant's search. An order number must match as a whole, in any case, and may leave out
 * the business's prefix.
 *
 * @param phone the search text as an E.164 number, if the text is a phone number.
 */
export function parseOrderSearch(
  text: string,
  { phone, numberPrefix }: { phone: string | null; numberPrefix: string },
): OrderSearch {
  const number = text.trim();
  const words = phone === null ? wordsIn(text).slice(0, maxSearchWords) : [phone];
  return { numbers: [number, number.toUpperCase(), numberPrefix + number], words };
}
