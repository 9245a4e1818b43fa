import { type ProductSet, priceLine, settledSelections } from "../pricing/index.ts";
import { type Quote, type QuoteRequest, subtotalOf } from "./quote.ts";

/** A quote but for its price. */
export type Promised = QuoteRequest & Pick<Quote, "id" | "currency" | "expiresAt">;

/**
 * The quote at what its request costs among these products.
 *
 * @throws Refusal NOT_FOUND for what is unknown or inactive, SELECTION_INVALID, VALIDATION_ERROR beyond
 * any amount that can be charged.
 */
export function pricedQuote(products: ProductSet, promised: Promised): Quote {
  const bundleSelections = settledSelections(
    products.get(promised.productId)?.bundle,
    promised.bundleSelections,
  );
  const { unitPriceMinor, parts, variant } = priceLine(products, {
    ...promised,
    bundleSelections,
    specialInstructions: null,
    billingPlanId: null,
  });
  const variantId = variant?.id ?? null;
  const quote = { ...promised, bundleSelections, variantId, unitPriceMinor, parts };
  subtotalOf(quote);
  return quote;
}
