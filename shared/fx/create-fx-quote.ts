import { commit } from "../database/index.ts";
import { conflict, invalid, isCurrency, parseMoney, Refusal } from "../kernel/index.ts";
import type { FxContext } from "./context.ts";
import { type FxQuote, fxQuoteLifeMs } from "./fx-quote.ts";
import { type CurrencyPair, convert } from "./rate.ts";
import { readRate } from "./read-rate.ts";
import { fxQuoteRepo, type RepeatKey } from "./repo.ts";

type Asked = CurrencyPair & Readonly<{ amountMinor: number }>;

/**
 * Promises a rate for an amount for 5 minutes (interface.md, POST /fx/quotes). The quote is its own
 * memory of the Idempotency-Key: asked for again with it, the same quote is the answer, whatever the
 * rate is by then and whether or not the provider answers.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a key that came with another
 * request; SERVICE_UNAVAILABLE without a rate.
 */
export async function createFxQuote(
  ctx: FxContext,
  request: CurrencyPair & Readonly<{ amount: string }>,
  repeat: RepeatKey | null,
): Promise<Readonly<{ quote: FxQuote; isReplay: boolean }>> {
  const asked = askedOf(request);
  const quotes = fxQuoteRepo(ctx);
  if (repeat === null) {
    const quote = await quoteOfNow(ctx, asked);
    await commit(ctx, { writes: [quotes.insert(quote)] });
    return { quote, isReplay: false };
  }
  try {
    const quote = await quoteOfNow(ctx, asked);
    const standing = await quotes.insertOnce(quote, repeat);
    return { quote: demandSame(standing, asked), isReplay: standing.id !== quote.id };
  } catch (error) {
    const earlier = isRateless(error) ? await quotes.findByKey(repeat) : null;
    if (!earlier) throw error;
    return { quote: demandSame(earlier, asked), isReplay: true };
  }
}

/** No rate, or none any more between these currencies: what was promised before still stands. */
const isRateless = (error: unknown): boolean =>
  error instanceof Refusal &&
  (error.code === "SERVICE_UNAVAILABLE" || error.code === "VALIDATION_ERROR");

/**
 * A quote of the rate of now, stored nowhere yet.
 *
 * @throws Refusal VALIDATION_ERROR naming `from`, `to` or `amount`; SERVICE_UNAVAILABLE.
 */
export async function quoteOfNow(ctx: FxContext, asked: Asked): Promise<FxQuote> {
  const { rate } = await readRate(ctx, asked);
  const createdAt = ctx.now();
  return {
    ...asked,
    id: ctx.newId("fxq"),
    rate,
    convertedMinor: convert(asked.amountMinor, { ...asked, rate }),
    createdAt,
    expiresAt: createdAt + fxQuoteLifeMs,
  };
}

function askedOf({ from, to, amount }: CurrencyPair & { amount: string }): Asked {
  if (!isCurrency(from)) throw invalid("from", "is not a currency of ISO 4217");
  const amountMinor = parseMoney(amount, from);
  if (amountMinor <= 0) throw invalid("amount", "must be greater than 0");
  return { from, to, amountMinor };
}

function demandSame(quote: FxQuote, { from, to, amountMinor }: Asked): FxQuote {
  if (quote.from === from && quote.to === to && quote.amountMinor === amountMinor) return quote;
  throw conflict("This Idempotency-Key came with another body before.");
}
