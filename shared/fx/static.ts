import { type FxProvider, type RateTable, rateIn } from "./provider.ts";

/** The rates that ship with the service (completions.md 11): round figures for a start, one date for all. */
const embedded: RateTable = {
  base: "EUR",
  rates: new Map([
    ["USD", "1.16"],
    ["GBP", "0.88"],
    ["GHS", "12.7"],
    ["NGN", "1680"],
    ["KES", "150"],
    ["XOF", "655.957"],
    ["ZAR", "20"],
    ["JPY", "181"],
    ["KWD", "0.356"],
  ]),
  asOf: Date.UTC(2026, 10, 1),
};

/** What a business set itself: one unit of `base` in each currency, as decimal strings. */
export type OwnRates = Readonly<{ base: string; rates: Readonly<Record<string, string>> }>;

/** Rates from a table: the business's own, which then is the whole of it, or the one that ships. */
export function staticRates(own: OwnRates | null, now: () => number): FxProvider {
  const table: RateTable = own
    ? { base: own.base, rates: new Map(Object.entries(own.rates)), asOf: null }
    : embedded;
  return { source: "static", rate: async (pair) => rateIn(table, pair, now()) };
}
