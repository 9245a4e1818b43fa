/** A place that an input may mean. */
export type Prediction = Readonly<{
  placeId: string;
  description: string;
  mainText: string;
  secondaryText: string;
}>;

/** Degrees. */
export type Coordinates = Readonly<{ lat: number; lng: number }>;

/** What a provider knows of a place; null: it does not know that part. */
export type Place = Readonly<{
  placeId: string;
  formattedAddress: string;
  streetAddress: string | null;
  city: string | null;
  region: string | null;
  /** ISO 3166 alpha-2. */
  country: string | null;
  postalCode: string | null;
  location: Coordinates;
  viewport: Readonly<{ low: Coordinates; high: Coordinates }> | null;
}>;

/** "No answer" is an answer here, never an exception. */
export type PredictionsAnswer =
  | Readonly<{ type: "predictions"; predictions: readonly Prediction[] }>
  | Readonly<{ type: "no_answer" }>;

export type PlaceAnswer =
  | Readonly<{ type: "place"; place: Place }>
  | Readonly<{ type: "unknown_place" }>
  | Readonly<{ type: "no_answer" }>;

/**
 * One provider of addresses, behind one file (architecture.md, The house). It never throws. A session
 * token binds the questions for one address together, at providers that bill them so.
 */
export type PlacesProvider = Readonly<{
  autocomplete(
    question: Readonly<{ input: string; sessionToken: string | null }>,
  ): Promise<PredictionsAnswer>;
  details(
    question: Readonly<{ placeId: string; sessionToken: string | null }>,
  ): Promise<PlaceAnswer>;
}>;
