import { z } from "zod";
import { type ProviderTransport, second } from "../kernel/index.ts";
import { fetchRates } from "./fetch-rates.ts";
import type { RemoteFxProvider } from "./provider.ts";
import { parseRate } from "./rate.ts";

const latestUrl = "https://openexchangerates.org/api/latest.json";

const Latest = z.object({
  /** In Unix seconds. */
  timestamp: z.string().regex(/^\d{1,12}$/),
  base: z.string().regex(/^[A-Z]{3}$/),
  rates: z.record(z.string(), z.string()),
});

/**
 * A provider of rates from openexchangerates.org. One response contains all currencies against the
 * dollar, so all pairs share one cached response.
 */
export const openExchangeRates = (
  appId: string,
  transport: ProviderTransport,
): RemoteFxProvider => ({
  source: "openexchangerates",
  keyOf: () => "all",
  async fetch() {
    const response = await fetchRates(
      transport,
      `${latestUrl}?app_id=${encodeURIComponent(appId)}`,
    );
    if (response?.status !== 200) return null;
    const { success, data } = Latest.safeParse(response.json);
    if (!success) return null;
    const asOf = Number(data.timestamp) * second;
    return { base: data.base, rates: parseRates(data.rates), asOf };
  },
});

/** Leaves out currencies whose rate is not a positive number. */
function parseRates(rates: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(rates).flatMap(([currency, text]) => {
      const rate = parseRate(text);
      return rate === null ? [] : [[currency, rate] as const];
    }),
  );
}
