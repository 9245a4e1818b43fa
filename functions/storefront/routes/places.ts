import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import {
  autocompletePlaces,
  createGooglePlaces,
  demoPlacesProvider,
  getPlaceDetails,
  type PlacesProvider,
} from "../../../shared/places/index.ts";
import { createRoutes } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { type RequestContext, requireKey } from "../../http/context.ts";
import { envelope, requireJson, route } from "../../http/contract.ts";
import { log } from "../../runtime/log.ts";
import type { Settings } from "../../runtime/settings.ts";
import { name, text } from "../../wire/fields.ts";
import {
  PlaceDetailsView,
  PredictionsView,
  viewPlaceDetails,
  viewPredictions,
} from "../views/place.ts";

/**
 * A session token of the address provider. Any text is accepted, because an invalid token is not
 * passed on to the provider.
 */
const sessionToken = z.string().max(500).nullish();

/** The calls that look up addresses (docs/contract/storefront.md#places). */
export const places = createRoutes()
  .openapi(
    route("post", "/places/autocomplete", {
      operationId: "autocompletePlaces",
      tag: "Places",
      summary: "Suggest addresses for an input",
      access,
      body: requireJson(z.object({ input: text(500), sessionToken })),
      response: PredictionsView,
    }),
    async (c) => {
      const { input, sessionToken = null } = c.req.valid("json");
      const predictions = await autocompletePlaces(providerFor(c), { input, sessionToken });
      return c.json(envelope(viewPredictions(predictions)), 200);
    },
  )
  .openapi(
    route("post", "/places/details", {
      operationId: "getPlace",
      tag: "Places",
      summary: "Get an address with its components and coordinates",
      access,
      body: requireJson(z.object({ place_id: name(500), sessionToken })),
      response: PlaceDetailsView,
    }),
    async (c) => {
      const { place_id: placeId, sessionToken = null } = c.req.valid("json");
      const place = await getPlaceDetails(providerFor(c), { placeId, sessionToken });
      return c.json(envelope(viewPlaceDetails(place)), 200);
    },
  );

const providerFor = (c: RequestContext): PlacesProvider | null =>
  placesProviderFor(requireKey(c).business, c.get("settings"));

/**
 * The business's address provider. In test mode always the demo provider, which costs nothing. Null
 * when the deployment has none.
 */
function placesProviderFor(
  business: Business,
  { places }: Pick<Settings, "places">,
): PlacesProvider | null {
  if (places === null) return null;
  if (places.provider === "demo" || business.mode === "test") return demoPlacesProvider;
  return createGooglePlaces({
    apiKey: places.apiKey,
    countries: countriesOf(business),
    fetch: (url, init) => fetch(url, init),
    report: (failure) =>
      log("warn", "address provider call failed", { provider: "google", ...failure }),
  });
}

/**
 * The countries in which addresses are searched: the business's own, then those of its locations.
 */
function countriesOf({ defaultCountry, locations }: Business): string[] {
  const others = locations.flatMap(({ address }) => address?.country ?? []);
  return [...new Set([defaultCountry, ...others])].filter((code) => /^[A-Z]{2}$/.test(code));
}
