export type { FxContext } from "./context.ts";
export { createFxQuote } from "./create-fx-quote.ts";
export { frankfurter } from "./frankfurter.ts";
export {
  demandCover,
  type FxQuote,
  payAmountOf,
  quoteUsed,
  type StoredFxQuote,
  usableQuote,
} from "./fx-quote.ts";
export { lockQuote, relocked } from "./lock-quote.ts";
export { openExchangeRates } from "./open-exchange-rates.ts";
export type { FxProvider, RemoteRates } from "./provider.ts";
export { convert, crossRate, rateOf } from "./rate.ts";
export { type FxRate, readRate } from "./read-rate.ts";
export { rememberedRates } from "./remembered-rates.ts";
export { fxQuoteRepo, purgeFxQuotes } from "./repo.ts";
export { staticRates } from "./static.ts";
