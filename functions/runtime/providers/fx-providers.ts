import type { Business } from "../../../shared/businesses/index.ts";
import {
  createRateCache,
  type FxProvider,
  frankfurter,
  openExchangeRates,
  staticRates,
} from "../../../shared/fx/index.ts";
import { runtime } from "../runtime.ts";
import type { Settings } from "../settings.ts";

const outbound = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

/**
 * The isolate's cache of exchange rates. All businesses share it, because rates are the same for
 * all.
 */
const isolateRates = createRateCache();

/** Used when the provider's key is not configured. Callers get a 503, as in an outage. */
const unconfigured: FxProvider = {
  source: "openexchangerates",
  rate: async () => ({ type: "no_answer" }),
};

/**
 * The exchange rate provider in the business's settings (docs/contract/storefront.md#fx-providers).
 */
export function fxProviderFor(
  { settings: { fx } }: Pick<Business, "settings">,
  {
    settings: { openExchangeRatesAppId: appId },
    background,
  }: Readonly<{
    settings: Pick<Settings, "openExchangeRatesAppId">;
    background: (work: Promise<unknown>) => void;
  }>,
): FxProvider {
  const { now } = runtime;
  switch (fx.provider) {
    case "static":
      return staticRates(fx.staticRates, now);
    case "frankfurter":
      return isolateRates(frankfurter(outbound), { now, background });
    case "openexchangerates":
      return appId === undefined
        ? unconfigured
        : isolateRates(openExchangeRates(appId, outbound), { now, background });
  }
}
