export { demo } from "./demo.ts";
export { findPlace, predictPlaces } from "./find-places.ts";
export { google } from "./google.ts";
export type { Place, PlacesProvider, Prediction } from "./provider.ts";
