import { invalid, Refusal } from "../kernel/index.ts";
import type { FxContext } from "./context.ts";
import { quoteOfNow } from "./create-fx-quote.ts";
import type { FxQuote } from "./fx-quote.ts";
import { convert } from "./rate.ts";

/**
 * A quote for a shopper who brought none, at the rate of now; it stands nowhere until an order claims
 * it.
 *
 * @throws Refusal VALIDATION_ERROR naming `pay_currency` when there is no rate into it, or the amount
 * would be larger than can be charged; SERVICE_UNAVAILABLE when the provider gives no answer.
 */
export async function lockQuote(
  ctx: FxContext,
  asked: Readonly<{ from: string; to: string; amountMinor: number }>,
): Promise<FxQuote> {
  try {
    return await quoteOfNow(ctx, asked);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "VALIDATION_ERROR")) throw error;
    throw invalid("pay_currency", `this cart cannot be paid in ${asked.to}`);
  }
}

/** A locked quote for another amount, at the rate that it was locked at. */
export const relocked = (quote: FxQuote, amountMinor: number): FxQuote => ({
  ...quote,
  amountMinor,
  convertedMinor: convert(amountMinor, quote),
});
