export { createRateCache } from "./cached-rates.ts";
export { createFxQuote, lockFxQuote, withAmount } from "./create-fx-quote.ts";
export { frankfurter } from "./frankfurter.ts";
export {
  assertFxQuoteCovers,
  type FxQuote,
  fxQuoteUsed,
  payAmount,
  requireUsableQuote,
  type StoredFxQuote,
} from "./fx-quote.ts";
export { openExchangeRates } from "./open-exchange-rates.ts";
export {
  type FxContext,
  type FxProvider,
  type RemoteFxProvider,
  unconfiguredRates,
} from "./provider.ts";
export { convert, crossRate, parseRate } from "./rate.ts";
export { type FxRate, readRate } from "./read-rate.ts";
export { fxQuoteRepo, purgeFxQuotes, unusedFxQuotes } from "./repo.ts";
export { staticRates } from "./static-rates.ts";
