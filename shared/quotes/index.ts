export {
  isExpired,
  isRefreshable,
  type Quote,
  type QuoteRequest,
  type QuoteUpdate,
  quoteSubtotal,
} from "./quote.ts";
export { createQuote, type QuoteContext, refreshQuote } from "./quote-changes.ts";
export { expiredQuotes, purgeQuotes, quoteRepo, quotesUnchanged, toQuotesById } from "./repo.ts";
