import { companionOf } from "../catalogue/index.ts";
import { commit } from "../database/index.ts";
import type { QuoteContext } from "./context.ts";
import { pricedQuote } from "./price-quote.ts";
import { type Quote, type QuoteRequest, quoteLifeMs } from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/**
 * Promises the price of now for 15 minutes (interface.md, POST /catalogue/quotes), in one round trip:
 * when the catalogue has to be read, the quote is stored in that very batch, with what it is to be
 * priced by; what is too long for that is stored afterwards, with its price. One that is then refused
 * is taken out again; should that fail, it has no price that anybody could read, and is purged. The
 * caller has seen to it that the location is the business's.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR beyond any amount that can be charged.
 */
export async function createQuote(ctx: QuoteContext, request: QuoteRequest): Promise<Quote> {
  const quotes = quoteRepo(ctx);
  const { currency } = ctx.business;
  const expiresAt = ctx.now() + quoteLifeMs;
  const promised = { ...request, id: ctx.newId("pq"), currency, expiresAt };
  let isStored = false;
  const stored = companionOf(quotes.insertUnpriced(promised), ({ meta }) => {
    isStored = meta.changes > 0;
  });
  const products = await ctx.findProducts([request.productId], [stored]);
  try {
    const quote = pricedQuote(products, promised);
    if (!isStored) await commit(ctx, { writes: [quotes.save(quote)] });
    return quote;
  } catch (error) {
    if (isStored) await commit(ctx, { writes: [quotes.remove(promised.id)] });
    throw error;
  }
}
