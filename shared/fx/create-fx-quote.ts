import { commit } from "../database/index.ts";
import { invalid, isCurrency, parseMoney, Refusal, ruleViolation } from "../kernel/index.ts";
import { type FxQuote, fxQuoteTtlMs } from "./fx-quote.ts";
import type { FxContext } from "./provider.ts";
import { type CurrencyPair, convert } from "./rate.ts";
import { readRate } from "./read-rate.ts";
import { fxQuoteRepo } from "./repo.ts";

type FxQuoteRequest = CurrencyPair & Readonly<{ amountMinor: number }>;

/**
 * Creates an FX quote, which locks a rate for an amount for 5 minutes.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; SERVICE_UNAVAILABLE when there is no rate.
 */
export async function createFxQuote(
  ctx: FxContext,
  request: CurrencyPair & Readonly<{ amount: string }>,
): Promise<FxQuote> {
  const quote = await quoteCurrentRate(ctx, parseQuoteRequest(request));
  await commit(ctx, { writes: [fxQuoteRepo(ctx).insert(quote)] });
  return quote;
}

/**
 * Creates an FX quote at the current rate without storing it.
 *
 * @throws Refusal VALIDATION_ERROR naming `from`, `to` or `amount`; SERVICE_UNAVAILABLE.
 */
async function quoteCurrentRate(ctx: FxContext, request: FxQuoteRequest): Promise<FxQuote> {
  const { rate } = await readRate(ctx, request);
  const createdAt = ctx.now();
  return {
    ...request,
    id: ctx.newId("fxq"),
    rate,
    convertedMinor: convert(request.amountMinor, { ...request, rate }),
    createdAt,
    expiresAt: createdAt + fxQuoteTtlMs,
  };
}

function parseQuoteRequest({
  from,
  to,
  amount,
}: CurrencyPair & { amount: string }): FxQuoteRequest {
  if (!isCurrency(from)) throw invalid("from", "is not a currency of ISO 4217");
  const amountMinor = parseMoney(amount, from);
  if (amountMinor <= 0) throw invalid("amount", "must be greater than 0");
  return { from, to, amountMinor };
}

/**
 * Creates an FX quote at the current rate for a checkout without a quote. The quote is stored when
 * an order claims it.
 *
 * @throws Refusal FX_NOT_CONFIGURED without rates; VALIDATION_ERROR naming `pay_currency` when there
 * is no rate into it or the amount is too large to charge; SERVICE_UNAVAILABLE when the provider does
 * not respond.
 */
export async function lockFxQuote(
  ctx: FxContext,
  request: Readonly<{ from: string; to: string; amountMinor: number }>,
): Promise<FxQuote> {
  if (!ctx.fx.isConfigured) {
    throw ruleViolation(
      "FX_NOT_CONFIGURED",
      `This business has no exchange rates. Leave pay_currency out to pay in ${request.from}.`,
    );
  }
  try {
    return await quoteCurrentRate(ctx, request);
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "VALIDATION_ERROR")) throw error;
    throw invalid("pay_currency", `this cart cannot be paid in ${request.to}`);
  }
}

/** The FX quote for another amount, at the same locked rate. */
export const withAmount = (quote: FxQuote, amountMinor: number): FxQuote => ({
  ...quote,
  amountMinor,
  convertedMinor: convert(amountMinor, quote),
});
