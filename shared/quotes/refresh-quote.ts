import { commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { QuoteContext } from "./context.ts";
import { pricedQuote } from "./price-quote.ts";
import { changedRequest, isRefreshable, type Quote, type QuoteChanges } from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/**
 * Prices a quote anew under its own id, with what `changes` names over what it held (interface.md,
 * quote refresh); an expired one too, for 24 hours.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR beyond any amount that can be charged.
 */
export async function refreshQuote(
  ctx: QuoteContext,
  id: string,
  changes: QuoteChanges,
): Promise<Quote> {
  const quotes = quoteRepo(ctx);
  const quote = await quotes.find(id);
  if (!quote || !isRefreshable(quote, ctx.now())) throw notFound("quote");
  const refreshed = await pricedQuote(ctx, id, changedRequest(quote, changes));
  await commit(ctx, { writes: [quotes.save(refreshed)] });
  return refreshed;
}
