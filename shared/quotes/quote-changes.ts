import { isLocationOf, type ShopContext } from "../businesses/index.ts";
import { batchedRead, commit, createPrefetch, type Prefetch } from "../database/index.ts";
import { notFound } from "../kernel/index.ts";
import type { ProductSet } from "../pricing/index.ts";
import {
  applyQuoteUpdate,
  isRefreshable,
  priceQuote,
  type Quote,
  type QuoteRequest,
  type QuoteUpdate,
  quoteTtlMs,
} from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/** What quotes use: the current catalogue, and their own rows. */
export type QuoteContext = ShopContext &
  Readonly<{
    /** Reads products, their components and the prefetches from the database in one round trip. */
    findProducts: (ids: readonly string[], prefetches?: readonly Prefetch[]) => Promise<ProductSet>;
  }>;

/**
 * Locks the current price for 15 minutes, in one round trip: the batch that reads the products also
 * stores the quote with a snapshot of them. When the snapshot is too long, a second write stores the
 * priced quote instead. The caller checks the location.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR for an amount too large to charge.
 *   A quote that is already stored is then deleted.
 */
export async function createQuote(ctx: QuoteContext, request: QuoteRequest): Promise<Quote> {
  const quotes = quoteRepo(ctx);
  const { currency } = ctx.business;
  const expiresAt = ctx.now() + quoteTtlMs;
  const unpriced = { ...request, id: ctx.newId("pq"), currency, expiresAt };
  const insertion = createPrefetch(ctx.db, () =>
    batchedRead([quotes.insertUnpricedQuote(unpriced)], ([{ meta }]) => meta.changes > 0),
  );
  const products = await ctx.findProducts([request.productId], [insertion]);
  const isStored = insertion.received() ?? false;
  try {
    const quote = priceQuote(products, unpriced);
    if (!isStored) await commit(ctx, { writes: [quotes.save(quote)] });
    return quote;
  } catch (error) {
    if (isStored) await commit(ctx, { writes: [quotes.remove(unpriced.id)] });
    throw error;
  }
}

/**
 * Prices a quote again under the same id, with the given fields replaced. Possible until 24 hours
 * after the quote's expiry. One round trip reads the quote with its product, a second one stores
 * it.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR for an amount too large to charge.
 */
export async function refreshQuote(
  ctx: QuoteContext,
  id: string,
  update: QuoteUpdate,
): Promise<Quote> {
  const quotes = quoteRepo(ctx);
  const { quote, products } = await quotes.findWithProducts(id, update.productId);
  if (!quote || !isRefreshable(quote, ctx.now())) throw notFound("quote");
  const request = applyQuoteUpdate(quote, update);
  const { currency } = ctx.business;
  if (!isLocationOf(ctx.business, request.locationId)) throw notFound("location");
  const expiresAt = ctx.now() + quoteTtlMs;
  const refreshed = priceQuote(products, { ...request, id, currency, expiresAt });
  await commit(ctx, { writes: [quotes.save(refreshed)] });
  return refreshed;
}
