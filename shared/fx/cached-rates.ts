import { createTtlCache, minute } from "../kernel/index.ts";
import {
  type FetchedRateTable,
  type FxProvider,
  type RemoteFxProvider,
  rateFromTable,
} from "./provider.ts";

/** How long a cached rate may be used. */
const rateTtlMs = minute;
const maxCachedResponses = 2_000;

type CacheContext = Readonly<{
  now: () => number;
  /** Runs work in the background; the work may take longer than the request. */
  background: (work: Promise<unknown>) => void;
}>;

/**
 * Caches providers' responses in the isolate, including "unknown". Without a cached response each
 * request calls the provider, because a request cannot wait for another request's connection. One
 * request renews an ageing response in the background.
 */
export function createRateCache() {
  const responses = createTtlCache<Exclude<FetchedRateTable, null>>(maxCachedResponses, rateTtlMs);

  return (remote: RemoteFxProvider, { now, background }: CacheContext): FxProvider => ({
    source: remote.source,
    isConfigured: true,
    async rate(pair) {
      const load = () => remote.fetch(pair);
      const reload = async () => {
        const response = await load();
        if (response === null) throw new Error(`${remote.source} did not respond.`);
        return response;
      };
      const cacheOptions = { load, reload, background };
      const cacheKey = `${remote.source} ${remote.keyOf(pair)}`;
      const table = await responses.getRevalidating(cacheKey, now(), cacheOptions);
      if (table === null) return { type: "no_answer" };
      if (table === "unknown") return { type: "unknown_currency", side: "to" };
      return rateFromTable(table, pair, now());
    },
  });
}
