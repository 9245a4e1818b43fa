import { type CurrencyPair, crossRate } from "./rate.ts";

/** Rates of one moment: what one unit of `base` is worth in each currency, as decimal strings. */
export type RateTable = Readonly<{
  base: string;
  rates: ReadonlyMap<string, string>;
  /** Epoch milliseconds; null: they hold whenever they are asked for. */
  asOf: number | null;
}>;

/** How a rate stands at a provider. "No answer" is an answer here, never an exception. */
export type RateAnswer =
  | Readonly<{ type: "rate"; rate: string; asOf: number }>
  | Readonly<{ type: "unknown_currency"; side: keyof CurrencyPair }>
  | Readonly<{ type: "no_answer" }>;

/** One provider of exchange rates, behind one file (architecture.md, The house). It never throws. */
export type FxProvider = Readonly<{
  /** Its name on the wire. */
  source: string;
  rate(pair: CurrencyPair): Promise<RateAnswer>;
}>;

/** A table; that the provider does not know the pair; or null, when it gave no answer. */
export type FetchedRates = RateTable | "unknown" | null;

/** A provider that is asked over the network, before its answers are remembered. */
export type RemoteRates = Readonly<{
  source: string;
  /** Pairs that one answer covers have one key. */
  keyOf(pair: CurrencyPair): string;
  fetch(pair: CurrencyPair): Promise<FetchedRates>;
}>;

/** A pair's rate by a table, across its base; `now` dates a table that has no date, or one ahead. */
export function rateIn(table: RateTable, { from, to }: CurrencyPair, now: number): RateAnswer {
  const [fromRate, toRate] = [rateAgainstBase(table, from), rateAgainstBase(table, to)];
  if (fromRate === undefined) return { type: "unknown_currency", side: "from" };
  if (toRate === undefined) return { type: "unknown_currency", side: "to" };
  const asOf = Math.min(table.asOf ?? now, now);
  return { type: "rate", rate: crossRate(fromRate, toRate), asOf };
}

const rateAgainstBase = ({ base, rates }: RateTable, currency: string): string | undefined =>
  currency === base ? "1" : rates.get(currency);
