import type { Order } from "./order.ts";

const maxSearchWords = 5;

/** A word without diacritics, in lower case; used for both stored and searched words. */
const normalizeTerm = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

const wordsIn = (text: string): string[] =>
  normalizeTerm(text)
    .split(/\s+/)
    .filter((word) => word !== "");

type SearchableOrder = Pick<Order, "customerName" | "customerEmail" | "customerPhone">;

/**
 * The terms under which an order is found besides its number: the words of the name, the e-mail
 * address, the phone.
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

/** Matches orders with one of the numbers, or with a term that starts with each of the words. */
export type OrderSearch = Readonly<{ numbers: readonly string[]; words: readonly string[] }>;

/**
 * Parses a merchant's search. An order number matches whole, in any case, with or without the
 * business's prefix.
 *
 * @param phone the text as an E.164 phone number of the business's country, if it is one.
 */
export function parseOrderSearch(
  text: string,
  { phone, numberPrefix }: { phone: string | null; numberPrefix: string },
): OrderSearch {
  const number = text.trim();
  const words = phone === null ? wordsIn(text).slice(0, maxSearchWords) : [phone];
  return { numbers: [number, number.toUpperCase(), numberPrefix + number], words };
}
