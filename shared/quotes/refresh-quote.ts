import { isLocationOf } from "../businesses/index.ts";
import { commit } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { QuoteContext } from "./context.ts";
import { pricedQuote } from "./price-quote.ts";
import {
  changedRequest,
  isRefreshable,
  type Quote,
  type QuoteChanges,
  quoteLifeMs,
} from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/**
 * Prices a quote anew under its own id, with what `changes` names over what it held (interface.md,
 * quote refresh); an expired one too, for 24 hours. One round trip reads it with its product, one
 * stores it.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR beyond any amount that can be charged.
 */
export async function refreshQuote(
  ctx: QuoteContext,
  id: string,
  changes: QuoteChanges,
): Promise<Quote> {
  const quotes = quoteRepo(ctx);
  const { quote, products } = await quotes.findWithProducts(id, changes.productId);
  if (!quote || !isRefreshable(quote, ctx.now())) throw notFound("quote");
  const request = changedRequest(quote, changes);
  const { currency } = ctx.business;
  if (!isLocationOf(ctx.business, request.locationId)) throw notFound("location");
  const expiresAt = ctx.now() + quoteLifeMs;
  const refreshed = pricedQuote(products, { ...request, id, currency, expiresAt });
  await commit(ctx, { writes: [quotes.save(refreshed)] });
  return refreshed;
}
