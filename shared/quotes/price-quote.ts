import { atLocation } from "../catalogue/index.ts";
import { priceLine } from "../pricing/index.ts";
import type { QuoteContext } from "./context.ts";
import { type Quote, type QuoteRequest, quoteLifeMs, subtotalOf } from "./quote.ts";

/**
 * What the request costs now, promised for 15 minutes under `id`.
 *
 * @throws Refusal NOT_FOUND for what is unknown or inactive, SELECTION_INVALID.
 */
export async function pricedQuote(
  ctx: QuoteContext,
  id: string,
  request: QuoteRequest,
): Promise<Quote> {
  const found = await ctx.findProducts([request.productId]);
  const products = new Map(
    [...found].map(([key, product]) => [key, atLocation(product, request.locationId)]),
  );
  const { unitPriceMinor, parts, variant } = priceLine(products, {
    ...request,
    specialInstructions: null,
  });
  const quote: Quote = {
    ...request,
    id,
    variantId: variant?.id ?? null,
    unitPriceMinor,
    parts,
    currency: ctx.business.currency,
    expiresAt: ctx.now() + quoteLifeMs,
  };
  subtotalOf(quote);
  return quote;
}
