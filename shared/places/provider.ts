/** A place that matches the text typed so far. */
export type PlacePrediction = Readonly<{
  placeId: string;
  description: string;
  mainText: string;
  secondaryText: string;
}>;

/** Latitude and longitude in degrees. */
export type Coordinates = Readonly<{ lat: number; lng: number }>;

/** A place's address. Parts that the provider does not know are null. */
export type PlaceDetails = Readonly<{
  placeId: string;
  formattedAddress: string;
  streetAddress: string | null;
  city: string | null;
  region: string | null;
  /** An ISO 3166 alpha-2 code. */
  country: string | null;
  postalCode: string | null;
  location: Coordinates;
  viewport: Readonly<{ low: Coordinates; high: Coordinates }> | null;
}>;

export type PredictionsResponse =
  | Readonly<{ type: "predictions"; predictions: readonly PlacePrediction[] }>
  | Readonly<{ type: "no_answer" }>;

export type PlaceDetailsResponse =
  | Readonly<{ type: "place"; place: PlaceDetails }>
  | Readonly<{ type: "unknown_place" }>
  | Readonly<{ type: "no_answer" }>;

/**
 * Looks up addresses. A provider never throws; it returns `no_answer` during an outage. The session
 * token groups the calls for one address, because some providers bill them as one.
 */
export type PlacesProvider = Readonly<{
  autocomplete(
    request: Readonly<{ input: string; sessionToken: string | null }>,
  ): Promise<PredictionsResponse>;
  details(
    request: Readonly<{ placeId: string; sessionToken: string | null }>,
  ): Promise<PlaceDetailsResponse>;
}>;
