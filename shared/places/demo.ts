import { demoPlaces } from "./demo-places.ts";
import type { PlacesProvider } from "./provider.ts";

/** About a street, in degrees. */
const viewSide = 0.005;
const maxPredictions = 5;

/** A small built-in list, for test mode and development (completions.md 11): it asks nobody. */
export const demo: PlacesProvider = {
  async autocomplete({ input }) {
    const wanted = wordsOf(input);
    const predictions = demoPlaces
      .filter(({ formattedAddress }) => holdsAll(wordsOf(formattedAddress), wanted))
      .slice(0, maxPredictions)
      .map(({ placeId, name, formattedAddress }) => ({
        placeId,
        description: formattedAddress,
        mainText: name,
        secondaryText: formattedAddress.slice(formattedAddress.indexOf(", ") + 2),
      }));
    return { type: "predictions", predictions };
  },

  async details({ placeId }) {
    const known = demoPlaces.find((place) => place.placeId === placeId);
    if (!known) return { type: "unknown_place" };
    const { name: _, ...place } = known;
    const { lat, lng } = place.location;
    const viewport = {
      low: { lat: lat - viewSide, lng: lng - viewSide },
      high: { lat: lat + viewSide, lng: lng + viewSide },
    };
    return { type: "place", place: { ...place, viewport } };
  },
};

/** Letters and digits alone, without accents and capitals. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Each word that is asked for begins one of the place's; without any there is nothing to look for. */
const holdsAll = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)));
