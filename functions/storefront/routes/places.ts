import { z } from "@hono/zod-openapi";
import { findPlace, type PlacesProvider, predictPlaces } from "../../../shared/places/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { publishableKey as access } from "../../http/authentication/access.ts";
import { keyed } from "../../http/context.ts";
import { answer, contract, json } from "../../http/contract.ts";
import { name, text } from "../../wire/fields.ts";
import { placesProviderOf } from "../places-provider.ts";
import {
  PlaceDetailsView,
  PredictionsView,
  viewPlaceDetails,
  viewPredictions,
} from "../views/place.ts";

/** Anything will do: one that the provider would not take is not passed on. */
const sessionToken = z.string().max(500).nullish();

/** interface.md, Places. */
export const places = area()
  .openapi(
    contract("post", "/places/autocomplete", {
      summary: "Addresses that an input may mean",
      access,
      body: json(z.object({ input: text(500), sessionToken })),
      answer: PredictionsView,
    }),
    async (c) => {
      const { input, sessionToken = null } = c.req.valid("json");
      const predictions = await predictPlaces(providerOf(c), { input, sessionToken });
      return c.json(answer(viewPredictions(predictions)), 200);
    },
  )
  .openapi(
    contract("post", "/places/details", {
      summary: "One address, with its parts and where it is",
      access,
      body: json(z.object({ place_id: name(500), sessionToken })),
      answer: PlaceDetailsView,
    }),
    async (c) => {
      const { place_id: placeId, sessionToken = null } = c.req.valid("json");
      const place = await findPlace(providerOf(c), { placeId, sessionToken });
      return c.json(answer(viewPlaceDetails(place)), 200);
    },
  );

const providerOf = (c: RequestContext): PlacesProvider | null =>
  placesProviderOf(keyed(c).business, c.get("settings"));
