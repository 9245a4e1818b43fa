import type { Context } from "../database/index.ts";
import type { Mode } from "../kernel/index.ts";
import { type CurrencyPair, crossRate } from "./rate.ts";

/** Rates at one time: the value of one unit of `base` in each currency, as decimal strings. */
export type RateTable = Readonly<{
  base: string;
  rates: ReadonlyMap<string, string>;
  /** The time of the rates in epoch milliseconds; null when the provider does not state it. */
  asOf: number | null;
}>;

/**
 * A provider's result for a pair of currencies. When the provider does not respond, that is a
 * result and not an exception.
 */
export type RateResult =
  | Readonly<{ type: "rate"; rate: string; asOf: number }>
  | Readonly<{ type: "unknown_currency"; side: keyof CurrencyPair }>
  | Readonly<{ type: "no_answer" }>;

/** A provider of exchange rates. It never throws. */
export type FxProvider = Readonly<{
  /** The provider's name in API responses. */
  source: string;
  /** False for a live business for which nobody has set up rates; a sale in them would be a guess. */
  isConfigured: boolean;
  rate(pair: CurrencyPair): Promise<RateResult>;
}>;

/** Stands in for rates that nobody has configured. In test mode they count as an outage. */
export const unconfiguredRates = (source: string, mode: Mode): FxProvider => ({
  source,
  isConfigured: mode === "test",
  rate: async () => ({ type: "no_answer" }),
});

/**
 * A table of rates; "unknown" when the provider does not know the pair; null when there is no
 * response.
 */
export type FetchedRateTable = RateTable | "unknown" | null;

/** A provider that is called over the network; `createRateCache` caches its responses. */
export type RemoteFxProvider = Readonly<{
  source: string;
  /** The cache key of a pair. Pairs with the same key share one response. */
  keyOf(pair: CurrencyPair): string;
  fetch(pair: CurrencyPair): Promise<FetchedRateTable>;
}>;

/**
 * The rate of a pair, calculated through the table's base currency. When the table has no time, or
 * one in the future, the rate gets the time `now`.
 */
export function rateFromTable(
  table: RateTable,
  { from, to }: CurrencyPair,
  now: number,
): RateResult {
  const [fromRate, toRate] = [rateAgainstBase(table, from), rateAgainstBase(table, to)];
  if (fromRate === undefined) return { type: "unknown_currency", side: "from" };
  if (toRate === undefined) return { type: "unknown_currency", side: "to" };
  const asOf = Math.min(table.asOf ?? now, now);
  return { type: "rate", rate: crossRate(fromRate, toRate), asOf };
}

const rateAgainstBase = ({ base, rates }: RateTable, currency: string): string | undefined =>
  currency === base ? "1" : rates.get(currency);

/**
 * The context of currency exchange: the database with its FX quotes, and the business's provider of
 * rates.
 */
export type FxContext = Context & Readonly<{ fx: FxProvider }>;
