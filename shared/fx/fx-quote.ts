import { minute, notFound, ruleViolation } from "../kernel/index.ts";
import { type CurrencyPair, convert } from "./rate.ts";

/** A rate that is locked for an amount until it expires. One order can use the quote. */
export type FxQuote = CurrencyPair &
  Readonly<{
    id: string;
    /** The maximum amount in minor units of `from`. */
    amountMinor: number;
    rate: string;
    /** The converted amount in minor units of `to`. */
    convertedMinor: number;
    createdAt: number;
    expiresAt: number;
  }>;

/** A stored quote; `usedByOrderId` is null until an order uses it. */
export type StoredFxQuote = FxQuote & Readonly<{ usedByOrderId: string | null }>;

/** How long an FX quote locks its rate. */
export const fxQuoteTtlMs = 5 * minute;

/** The total in minor units of `to`, converted at the rate of the quote. */
export const payAmount = (quote: FxQuote, totalMinor: number): number => convert(totalMinor, quote);

/**
 * Returns the quote if it can be used now to pay the total. The order that used it before keeps
 * its rate.
 *
 * @throws Refusal NOT_FOUND, FX_QUOTE_USED, FX_QUOTE_EXPIRED, FX_QUOTE_MISMATCH.
 */
export function requireUsableQuote(
  stored: StoredFxQuote | null,
  payment: Readonly<CurrencyPair & { totalMinor: number; now: number; orderId?: string }>,
): FxQuote {
  if (!stored) throw notFound("FX quote");
  const { usedByOrderId, ...quote } = stored;
  const isOwn = usedByOrderId !== null && usedByOrderId === payment.orderId;
  if (usedByOrderId !== null && !isOwn) throw fxQuoteUsed();
  if (!isOwn && quote.expiresAt <= payment.now) {
    throw ruleViolation("FX_QUOTE_EXPIRED", "The FX quote has expired. Request a new one.");
  }
  if (quote.from !== payment.from || quote.to !== payment.to) {
    throw fxQuoteMismatch(`The FX quote is not from ${payment.from} to ${payment.to}.`);
  }
  assertFxQuoteCovers(quote, payment.totalMinor);
  return quote;
}

/**
 * Checks that the quote covers a total.
 * @throws Refusal FX_QUOTE_MISMATCH for a total above the quoted amount, or one that converts to 0.
 */
export function assertFxQuoteCovers(quote: FxQuote, totalMinor: number): void {
  if (totalMinor > quote.amountMinor) {
    throw fxQuoteMismatch(
      "The total is above the amount of the FX quote. Request a quote for the total.",
    );
  }
  if (totalMinor > 0 && payAmount(quote, totalMinor) === 0) {
    throw fxQuoteMismatch(`The total is below the smallest amount of ${quote.to}.`);
  }
}

const fxQuoteMismatch = (message: string) => ruleViolation("FX_QUOTE_MISMATCH", message);

export const fxQuoteUsed = () =>
  ruleViolation("FX_QUOTE_USED", "Another order has used this FX quote. Request a new one.");
