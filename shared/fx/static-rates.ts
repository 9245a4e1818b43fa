import { type FxProvider, type RateTable, rateFromTable } from "./provider.ts";

/** The rates included in the service for test mode: round figures, all of one date. */
const defaultRates: RateTable = {
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

/**
 * Rates that a business configured: the value of one unit of `base` in each currency, as decimal
 * strings.
 */
export type ConfiguredRates = Readonly<{ base: string; rates: Readonly<Record<string, string>> }>;

/** A provider with a fixed table: the rates that the business configured, or the built-in rates. */
export function staticRates(configured: ConfiguredRates | null, now: () => number): FxProvider {
  const table: RateTable = configured
    ? { base: configured.base, rates: new Map(Object.entries(configured.rates)), asOf: null }
    : defaultRates;
  const rate: FxProvider["rate"] = async (pair) => rateFromTable(table, pair, now());
  return { source: "static", isConfigured: true, rate };
}
