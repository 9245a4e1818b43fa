import type { Order } from "./order.ts";

const maxWords = 5;

/** A word as it is kept and asked for: without marks and case. */
const folded = (text: string): string =>
  text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

const wordsIn = (text: string): string[] =>
  folded(text)
    .split(/\s+/)
    .filter((word) => word !== "");

type Searchable = Pick<Order, "customerName" | "customerEmail" | "customerPhone">;

/** What an order is found by, besides its number: each word of the name, the e-mail address, the phone. */
export const searchTermsOf = ({
  customerName,
  customerEmail,
  customerPhone,
}: Searchable): readonly string[] => [
  ...new Set([
    ...wordsIn(customerName ?? ""),
    ...[customerEmail, customerPhone].flatMap((contact) => (contact ? [folded(contact)] : [])),
  ]),
];

/** What a merchant looks for: the order's number, or terms of which each begins with one of the words. */
export type OrderSearch = Readonly<{ numbers: readonly string[]; words: readonly string[] }>;

/**
 * A search as typed. A number counts whole, with or without the business's prefix, in any case.
 *
 * @param phone the text as a phone number of the business's country, where it is one.
 */
export function orderSearch(
  text: string,
  { phone, numberPrefix }: { phone: string | null; numberPrefix: string },
): OrderSearch {
  const number = text.trim();
  const words = phone === null ? wordsIn(text).slice(0, maxWords) : [phone];
  return { numbers: [number, number.toUpperCase(), numberPrefix + number], words };
}
