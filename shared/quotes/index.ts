export type { QuoteContext } from "./context.ts";
export { createQuote } from "./create-quote.ts";
export {
  isExpired,
  isRefreshable,
  type Quote,
  type QuoteChanges,
  type QuoteRequest,
  subtotalOf,
} from "./quote.ts";
export { readQuote } from "./read-quote.ts";
export { refreshQuote } from "./refresh-quote.ts";
export { purgeQuotes, quoteRepo, quotesIn } from "./repo.ts";
