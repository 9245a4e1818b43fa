import type { Business } from "../../../shared/businesses/index.ts";
import {
  createRateCache,
  type FxProvider,
  frankfurter,
  openExchangeRates,
  staticRates,
  unconfiguredRates,
} from "../../../shared/fx/index.ts";
import { runtime } from "../runtime.ts";
import type { Settings } from "../settings.ts";

const outbound = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

/**
 * The isolate's cache of exchange rates. All businesses share it, because rates are the same for
 * all.
 */
const isolateRates = createRateCache();

/**
 * The exchange rate provider in the business's settings (docs/contract/storefront.md#fx-providers).
 */
export function fxProviderFor(
  { mode, settings: { fx } }: Pick<Business, "mode" | "settings">,
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
      return mode === "live" && fx.staticRates === null
        ? unconfiguredRates(fx.provider, mode) // the built-in rates are for trying things out
        : staticRates(fx.staticRates, now);
    case "frankfurter":
      return isolateRates(frankfurter(outbound), { now, background });
    case "openexchangerates":
      return appId === undefined
        ? unconfiguredRates(fx.provider, mode)
        : isolateRates(openExchangeRates(appId, outbound), { now, background });
  }
}
