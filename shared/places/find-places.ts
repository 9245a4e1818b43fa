import { notFound, Refusal, unavailable } from "../kernel/index.ts";
import type { Place, PlacesProvider, Prediction } from "./provider.ts";

/** interface.md, Limits: below, nobody is asked. */
const minCharacters = 3;

/** Providers take URL-safe characters, as many as a UUID has; another token is as good as none. */
const usableToken = /^[A-Za-z0-9_-]{1,36}$/;

type Session = Readonly<{ sessionToken: string | null }>;

/**
 * Places that the input may mean (interface.md, POST /places/autocomplete).
 *
 * @throws Refusal INTERNAL without a provider; SERVICE_UNAVAILABLE when it gives no answer.
 */
export async function predictPlaces(
  provider: PlacesProvider | null,
  { input, sessionToken }: Session & Readonly<{ input: string }>,
): Promise<readonly Prediction[]> {
  const asked = input.trim();
  if ([...asked].length < minCharacters) return [];
  const answer = await demandProvider(provider).autocomplete({
    input: asked,
    sessionToken: usable(sessionToken),
  });
  if (answer.type === "no_answer") throw noAnswer();
  return answer.predictions;
}

/**
 * One place (interface.md, POST /places/details).
 *
 * @throws Refusal NOT_FOUND for an unknown one; INTERNAL and SERVICE_UNAVAILABLE as above.
 */
export async function findPlace(
  provider: PlacesProvider | null,
  { placeId, sessionToken }: Session & Readonly<{ placeId: string }>,
): Promise<Place> {
  const answer = await demandProvider(provider).details({
    placeId,
    sessionToken: usable(sessionToken),
  });
  switch (answer.type) {
    case "place":
      return answer.place;
    case "unknown_place":
      throw notFound("place");
    case "no_answer":
      throw noAnswer();
  }
}

const usable = (token: string | null): string | null =>
  token !== null && usableToken.test(token) ? token : null;

function demandProvider(provider: PlacesProvider | null): PlacesProvider {
  if (provider) return provider;
  throw new Refusal({
    code: "INTERNAL",
    message: "Address lookup is not configured: set PLACES_PROVIDER.",
  });
}

const noAnswer = () => unavailable("The address provider did not answer; try again.");
