import { z } from "@hono/zod-openapi";
import type { FxQuote, FxRate } from "../../../shared/fx/index.ts";
import { formatMoney, iso } from "../../../shared/kernel/index.ts";

export const FxRateView = z
  .object({
    from: z.string(),
    to: z.string(),
    rate: z.string(),
    as_of: z.string(),
    source: z.string(),
  })
  .openapi("FxRate");

export const FxQuoteView = z
  .object({
    quote_id: z.string(),
    from: z.string(),
    to: z.string(),
    amount: z.string(),
    rate: z.string(),
    converted_amount: z.string(),
    expires_at: z.string(),
  })
  .openapi("FxQuote");

export const viewFxRate = ({ asOf, ...rate }: FxRate): z.infer<typeof FxRateView> => ({
  ...rate,
  as_of: iso(asOf),
});

export const viewFxQuote = (quote: FxQuote): z.infer<typeof FxQuoteView> => ({
  quote_id: quote.id,
  from: quote.from,
  to: quote.to,
  amount: formatMoney(quote.amountMinor, quote.from),
  rate: quote.rate,
  converted_amount: formatMoney(quote.convertedMinor, quote.to),
  expires_at: iso(quote.expiresAt),
});
