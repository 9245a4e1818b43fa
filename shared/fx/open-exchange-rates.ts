import { z } from "zod";
import { type Reach, second } from "../kernel/index.ts";
import { askForRates } from "./ask-for-rates.ts";
import type { RemoteRates } from "./provider.ts";
import { rateOf } from "./rate.ts";

const latest = "https://openexchangerates.org/api/latest.json";

const Latest = z.object({
  /** Unix seconds. */
  timestamp: z.string().regex(/^\d{1,12}$/),
  base: z.string().regex(/^[A-Z]{3}$/),
  rates: z.record(z.string(), z.string()),
});

/** openexchangerates.org: one answer holds every currency against the dollar, so that all pairs share it. */
export const openExchangeRates = (appId: string, reach: Reach): RemoteRates => ({
  source: "openexchangerates",
  keyOf: () => "all",
  async fetch() {
    const answer = await askForRates(reach, `${latest}?app_id=${encodeURIComponent(appId)}`);
    if (answer?.status !== 200) return null;
    const { success, data } = Latest.safeParse(answer.json);
    if (!success) return null;
    const asOf = Number(data.timestamp) * second;
    return { base: data.base, rates: usable(data.rates), asOf };
  },
});

/** A currency whose rate is no number above zero is one that we have no rate for; the others stand. */
function usable(rates: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(rates).flatMap(([currency, text]) => {
      const rate = rateOf(text);
      return rate === null ? [] : [[currency, rate] as const];
    }),
  );
}
