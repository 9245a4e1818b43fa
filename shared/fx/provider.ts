import type { Context } from "../database/index.ts";
import { type CurrencyPair, crossRate } from "./rate.ts";

/** Rates of one moment: the value of one unit of `base` in each currency, as decimal strings. */
export type RateTable = Readonly<{
  base: string;
  rates: ReadonlyMap<string, string>;
  /** In epoch milliseconds; null for rates without a date. */
  asOf: number | null;
}>;

/** A provider's result for a pair. A missing response is a result, not an exception. */
export type RateResult =
  | Readonly<{ type: "rate"; rate: string; asOf: number }>
  | Readonly<{ type: "unknown_currency"; side: keyof CurrencyPair }>
  | Readonly<{ type: "no_answer" }>;

/** A provider of exchange rates. It never throws. */
export type FxProvider = Readonly<{
  /** The provider's name in API responses. */
  source: string;
  rate(pair: CurrencyPair): Promise<RateResult>;
}>;

/**
 * A table of rates, "unknown" when the provider does not know the pair, or null without a response.
 */
export type FetchedRateTable = RateTable | "unknown" | null;

/** A provider that is called over the network; `createRateCache` caches its responses. */
export type RemoteFxProvider = Readonly<{
  source: string;
  /** The cache key; pairs that share a response share a key. */
  keyOf(pair: CurrencyPair): string;
  fetch(pair: CurrencyPair): Promise<FetchedRateTable>;
}>;

/**
 * The rate of a pair, calculated through the table's base. A table without a date, or with a future
 * one, is dated `now`.
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

/** What currency exchange uses: quotes in the database, and the business's provider of rates. */
export type FxContext = Context & Readonly<{ fx: FxProvider }>;
