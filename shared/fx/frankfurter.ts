import { z } from "zod";
import type { Reach } from "../kernel/index.ts";
import { askForRates } from "./ask-for-rates.ts";
import type { RemoteRates } from "./provider.ts";
import { rateOf } from "./rate.ts";

const api = "https://api.frankfurter.dev/v2";

const Rate = z.object({
  date: z.iso.date(),
  base: z.string(),
  quote: z.string(),
  rate: z.string(),
});

/** Central banks' daily rates, blended by frankfurter.dev; a pair a question, and no key. */
export const frankfurter = (reach: Reach): RemoteRates => ({
  source: "frankfurter",
  keyOf: ({ from, to }) => `${from}/${to}`,
  async fetch({ from, to }) {
    const answer = await askForRates(reach, `${api}/rate/${from}/${to}`);
    if (answer?.status === 404 || answer?.status === 422) return "unknown";
    if (answer?.status !== 200) return null;
    const { success, data } = Rate.safeParse(answer.json);
    if (!success || data.base !== from || data.quote !== to) return null;
    const rate = rateOf(data.rate);
    if (rate === null) return null;
    return { base: from, rates: new Map([[to, rate]]), asOf: Date.parse(data.date) };
  },
});
