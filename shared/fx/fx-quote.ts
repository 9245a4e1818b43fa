import { minute, notFound, ruleBroken } from "../kernel/index.ts";
import { type CurrencyPair, convert } from "./rate.ts";

/** A rate promised for an amount until it expires; good for one order. */
export type FxQuote = CurrencyPair &
  Readonly<{
    id: string;
    /** Of `from`, in minor units: for no more than this the rate is promised. */
    amountMinor: number;
    rate: string;
    /** Of `to`, in minor units. */
    convertedMinor: number;
    createdAt: number;
    expiresAt: number;
  }>;

/** A quote as it stands; the order that it was used by, should there be one. */
export type StoredFxQuote = FxQuote & Readonly<{ usedByOrderId: string | null }>;

/** completions.md 11. */
export const fxQuoteLifeMs = 5 * minute;

/** A total in the quote's other currency, at the quote's rate. */
export const payAmountOf = (quote: FxQuote, totalMinor: number): number =>
  convert(totalMinor, quote);

/**
 * The quote, if the total can be paid with it now.
 *
 * @throws Refusal NOT_FOUND without one, FX_QUOTE_USED, FX_QUOTE_EXPIRED, FX_QUOTE_MISMATCH.
 */
export function usableQuote(
  stored: StoredFxQuote | null,
  payment: Readonly<CurrencyPair & { totalMinor: number; now: number }>,
): FxQuote {
  if (!stored) throw notFound("FX quote");
  const { usedByOrderId, ...quote } = stored;
  if (usedByOrderId !== null) throw quoteUsed();
  if (quote.expiresAt <= payment.now) {
    throw ruleBroken("FX_QUOTE_EXPIRED", "The FX quote has expired; ask for another.");
  }
  if (quote.from !== payment.from || quote.to !== payment.to) {
    throw mismatch(`The FX quote is not from ${payment.from} to ${payment.to}.`);
  }
  demandCover(quote, payment.totalMinor);
  return quote;
}

/** @throws Refusal FX_QUOTE_MISMATCH for a total beyond the quoted amount, or too small to be charged at all. */
export function demandCover(quote: FxQuote, totalMinor: number): void {
  if (totalMinor > quote.amountMinor) {
    throw mismatch("The FX quote is for less than the total.");
  }
  if (totalMinor > 0 && payAmountOf(quote, totalMinor) === 0) {
    throw mismatch(`The total is less than the smallest amount of ${quote.to}.`);
  }
}

const mismatch = (message: string) => ruleBroken("FX_QUOTE_MISMATCH", message);

export const quoteUsed = () =>
  ruleBroken("FX_QUOTE_USED", "The FX quote was used for another order; ask for another.");
