import type { Business } from "../../shared/businesses/index.ts";
import { demo, google, type PlacesProvider } from "../../shared/places/index.ts";
import { log } from "../runtime/log.ts";
import type { Settings } from "../runtime/settings.ts";

/** Who knows addresses for a business (completions.md 11): in test mode nobody who sends a bill. Null: nobody. */
export function placesProviderOf(
  business: Business,
  { places }: Pick<Settings, "places">,
): PlacesProvider | null {
  if (places === null) return null;
  if (places.provider === "demo" || business.mode === "test") return demo;
  return google({
    apiKey: places.apiKey,
    countries: countriesOf(business),
    fetch: (url, init) => fetch(url, init),
    report: (failure) =>
      log("warn", "address provider call failed", { provider: "google", ...failure }),
  });
}

/** Its own country first, and those of its locations. */
function countriesOf({ defaultCountry, locations }: Business): string[] {
  const others = locations.flatMap(({ address }) => address?.country ?? []);
  return [...new Set([defaultCountry, ...others])].filter((code) => /^[A-Z]{2}$/.test(code));
}
