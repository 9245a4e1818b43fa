import { z } from "@hono/zod-openapi";
import type { PlaceDetails, PlacePrediction } from "../../../shared/places/index.ts";

const CoordinatesView = z.object({ lat: z.number(), lng: z.number() });

export const PredictionsView = z
  .object({
    predictions: z.array(
      z.object({
        place_id: z.string(),
        description: z.string(),
        main_text: z.string(),
        secondary_text: z.string(),
      }),
    ),
  })
  .openapi("Predictions");

export const PlaceDetailsView = z
  .object({
    place_id: z.string(),
    formatted_address: z.string(),
    components: z.object({
      street_address: z.string().nullable(),
      city: z.string().nullable(),
      region: z.string().nullable(),
      country: z.string().nullable(),
      postal_code: z.string().nullable(),
    }),
    location: CoordinatesView,
    viewport: z.object({ low: CoordinatesView, high: CoordinatesView }).nullable(),
  })
  .openapi("PlaceDetails");

export const viewPredictions = (
  predictions: readonly PlacePrediction[],
): z.infer<typeof PredictionsView> => ({
  predictions: predictions.map(({ placeId, description, mainText, secondaryText }) => ({
    place_id: placeId,
    description,
    main_text: mainText,
    secondary_text: secondaryText,
  })),
});

export const viewPlaceDetails = (place: PlaceDetails): z.infer<typeof PlaceDetailsView> => ({
  place_id: place.placeId,
  formatted_address: place.formattedAddress,
  components: {
    street_address: place.streetAddress,
    city: place.city,
    region: place.region,
    country: place.country,
    postal_code: place.postalCode,
  },
  location: place.location,
  viewport: place.viewport,
});
