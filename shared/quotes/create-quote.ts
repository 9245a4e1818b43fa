import { commit } from "../database/index.ts";
import type { QuoteContext } from "./context.ts";
import { pricedQuote } from "./price-quote.ts";
import type { Quote, QuoteRequest } from "./quote.ts";
import { quoteRepo } from "./repo.ts";

/**
 * Promises the price of now for 15 minutes (interface.md, POST /catalogue/quotes). The caller has
 * seen to it that the location is the business's.
 *
 * @throws Refusal NOT_FOUND, SELECTION_INVALID, VALIDATION_ERROR beyond any amount that can be charged.
 */
export async function createQuote(ctx: QuoteContext, request: QuoteRequest): Promise<Quote> {
  const quote = await pricedQuote(ctx, ctx.newId("pq"), request);
  await commit(ctx, { writes: [quoteRepo(ctx).save(quote)] });
  return quote;
}
