import { z } from "zod";
import type { ProviderTransport } from "../kernel/index.ts";
import { fetchRates } from "./fetch-rates.ts";
import type { RemoteFxProvider } from "./provider.ts";
import { parseRate } from "./rate.ts";

const api = "https://api.frankfurter.dev/v2";

const Rate = z.object({
  date: z.iso.date(),
  base: z.string(),
  quote: z.string(),
  rate: z.string(),
});

/**
 * A provider of central banks' daily reference rates (frankfurter.dev). Each request returns one
 * pair of currencies; no API key is needed.
 */
export const frankfurter = (transport: ProviderTransport): RemoteFxProvider => ({
  source: "frankfurter",
  keyOf: ({ from, to }) => `${from}/${to}`,
  async fetch({ from, to }) {
    const response = await fetchRates(transport, `${api}/rate/${from}/${to}`);
    if (response?.status === 404 || response?.status === 422) return "unknown";
    if (response?.status !== 200) return null;
    const { success, data } = Rate.safeParse(response.json);
    if (!success || data.base !== from || data.quote !== to) return null;
    const rate = parseRate(data.rate);
    if (rate === null) return null;
    return { base: from, rates: new Map([[to, rate]]), asOf: Date.parse(data.date) };
  },
});
