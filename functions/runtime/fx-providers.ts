import type { Business } from "../../shared/businesses/index.ts";
import {
  type FxProvider,
  frankfurter,
  openExchangeRates,
  rememberedRates,
  staticRates,
} from "../../shared/fx/index.ts";
import { chance } from "./runtime.ts";
import type { Settings } from "./settings.ts";

const outbound = { fetch: (url: string, init: RequestInit) => fetch(url, init) };

/** The isolate's memory of rates, which are the same for every business. */
const remembered = rememberedRates();

/** A provider that the deployment has no key for answers nothing: 503, as one that is down. */
const unconfigured: FxProvider = {
  source: "openexchangerates",
  rate: async () => ({ type: "no_answer" }),
};

/** The provider of exchange rates that the business's settings choose (completions.md 11). */
export function fxProviderOf(
  { settings: { fx } }: Pick<Business, "settings">,
  {
    settings: { openExchangeRatesAppId: appId },
    background,
  }: Readonly<{
    settings: Pick<Settings, "openExchangeRatesAppId">;
    background: (work: Promise<unknown>) => void;
  }>,
): FxProvider {
  const { now } = chance;
  switch (fx.provider) {
    case "static":
      return staticRates(fx.staticRates, now);
    case "frankfurter":
      return remembered(frankfurter(outbound), { now, background });
    case "openexchangerates":
      return appId === undefined
        ? unconfigured
        : remembered(openExchangeRates(appId, outbound), { now, background });
  }
}
