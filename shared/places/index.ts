export { demoPlacesProvider } from "./demo-provider.ts";
export { createGooglePlaces } from "./google-provider.ts";
export { autocompletePlaces, getPlaceDetails } from "./look-up-places.ts";
export type { PlaceDetails, PlacePrediction, PlacesProvider } from "./provider.ts";
