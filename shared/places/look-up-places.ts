import { notFound, Refusal, unavailable } from "../kernel/index.ts";
import type { PlaceDetails, PlacePrediction, PlacesProvider } from "./provider.ts";

/**
 * Shorter inputs match nothing, without a call to the provider
 * (docs/contract/storefront.md#places-rules).
 */
const minInputLength = 3;

/**
 * The session tokens that providers accept: up to 36 URL-safe characters. Any other token is not
 * sent to the provider.
 */
const sessionTokenFormat = /^[A-Za-z0-9_-]{1,36}$/;

type PlacesSession = Readonly<{ sessionToken: string | null }>;

/**
 * Finds places that match the text typed so far.
 *
 * @throws Refusal INTERNAL without a provider; SERVICE_UNAVAILABLE when it does not respond.
 */
export async function autocompletePlaces(
  provider: PlacesProvider | null,
  { input, sessionToken }: PlacesSession & Readonly<{ input: string }>,
): Promise<readonly PlacePrediction[]> {
  const trimmed = input.trim();
  if ([...trimmed].length < minInputLength) return [];
  const response = await requireProvider(provider).autocomplete({
    input: trimmed,
    sessionToken: validTokenOrNull(sessionToken),
  });
  if (response.type === "no_answer") throw noAnswerRefusal();
  return response.predictions;
}

/**
 * Finds the address of a place.
 *
 * @throws Refusal NOT_FOUND for an unknown place; INTERNAL without a provider; SERVICE_UNAVAILABLE
 *   when it does not respond.
 */
export async function getPlaceDetails(
  provider: PlacesProvider | null,
  { placeId, sessionToken }: PlacesSession & Readonly<{ placeId: string }>,
): Promise<PlaceDetails> {
  const response = await requireProvider(provider).details({
    placeId,
    sessionToken: validTokenOrNull(sessionToken),
  });
  switch (response.type) {
    case "place":
      return response.place;
    case "unknown_place":
      throw notFound("place");
    case "no_answer":
      throw noAnswerRefusal();
  }
}

const validTokenOrNull = (token: string | null): string | null =>
  token !== null && sessionTokenFormat.test(token) ? token : null;

function requireProvider(provider: PlacesProvider | null): PlacesProvider {
  if (provider) return provider;
  throw new Refusal({
    code: "INTERNAL",
    message: "Address lookup is not configured. Set PLACES_PROVIDER.",
  });
}

const noAnswerRefusal = () => unavailable("The address provider did not respond. Try again.");
