import { commit } from "../database/index.ts";
import { invalid, isCurrency, parseMoney } from "../kernel/index.ts";
import type { FxContext } from "./context.ts";
import { type FxQuote, fxQuoteLifeMs } from "./fx-quote.ts";
import { type CurrencyPair, convert } from "./rate.ts";
import { readRate } from "./read-rate.ts";
import { fxQuoteRepo } from "./repo.ts";

type Asked = CurrencyPair & Readonly<{ amountMinor: number }>;

/**
 * Promises a rate for an amount for 5 minutes (interface.md, POST /fx/quotes).
 *
 * @throws Refusal VALIDATION_ERROR naming the field; SERVICE_UNAVAILABLE without a rate.
 */
export async function createFxQuote(
  ctx: FxContext,
  request: CurrencyPair & Readonly<{ amount: string }>,
): Promise<FxQuote> {
  const quote = await quoteOfNow(ctx, askedOf(request));
  await commit(ctx, { writes: [fxQuoteRepo(ctx).insert(quote)] });
  return quote;
}

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
