import { demoPlaces } from "./demo-places.ts";
import type { PlacesProvider } from "./provider.ts";

/** Distance from a place to the sides of its viewport, in degrees. */
const viewportMargin = 0.005;
const maxPredictions = 5;

/** A provider with a small built-in list, for test mode and development. */
export const demoPlacesProvider: PlacesProvider = {
  async autocomplete({ input }) {
    const words = splitWords(input);
    const predictions = demoPlaces
      .filter(({ formattedAddress }) => matchesAllWords(splitWords(formattedAddress), words))
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
    const match = demoPlaces.find((place) => place.placeId === placeId);
    if (!match) return { type: "unknown_place" };
    const { name: _, ...place } = match;
    const { lat, lng } = place.location;
    const viewport = {
      low: { lat: lat - viewportMargin, lng: lng - viewportMargin },
      high: { lat: lat + viewportMargin, lng: lng + viewportMargin },
    };
    return { type: "place", place: { ...place, viewport } };
  },
};

/** The words of a text in lower case, without accents. */
const splitWords = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/**
 * Whether each search word is the beginning of an address word. False when there are no search
 * words.
 */
const matchesAllWords = (
  addressWords: readonly string[],
  searchWords: readonly string[],
): boolean =>
  searchWords.length > 0 &&
  searchWords.every((prefix) => addressWords.some((word) => word.startsWith(prefix)));
