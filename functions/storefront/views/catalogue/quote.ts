import { z } from "@hono/zod-openapi";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";
import { type Quote, quoteSubtotal } from "../../../../shared/quotes/index.ts";
import { SelectionView, viewSelection } from "./selection.ts";

export const QuoteView = z
  .object({
    quote_id: z.string(),
    product_id: z.string(),
    variant_id: z.string().nullable(),
    location_id: z.string().nullable(),
    add_on_option_ids: z.array(z.string()),
    bundle_selections: z.array(SelectionView),
    composite_selections: z.array(SelectionView),
    unit_price: z.string(),
    parts: z.array(z.object({ name: z.string(), amount: z.string() })),
    quantity: z.number().int(),
    subtotal: z.string(),
    currency: z.string(),
    expires_at: z.string(),
  })
  .openapi("PriceQuote");

export function viewQuote(quote: Quote): z.infer<typeof QuoteView> {
  const { currency } = quote;
  return {
    quote_id: quote.id,
    product_id: quote.productId,
    variant_id: quote.variantId,
    location_id: quote.locationId,
    add_on_option_ids: [...quote.addOnOptionIds],
    bundle_selections: quote.bundleSelections.map(viewSelection),
    composite_selections: quote.compositeSelections.map(viewSelection),
    unit_price: formatMoney(quote.unitPriceMinor, currency),
    parts: quote.parts.map(({ name, amountMinor }) => ({
      name,
      amount: formatMoney(amountMinor, currency),
    })),
    quantity: quote.quantity,
    subtotal: formatMoney(quoteSubtotal(quote), currency),
    currency,
    expires_at: iso(quote.expiresAt),
  };
}
