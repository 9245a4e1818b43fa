import { describe, expect, it } from "vitest";
import type { Fetch } from "../../shared/kernel/index.ts";
import {
  autocompletePlaces,
  createGooglePlaces,
  getPlaceDetails,
} from "../../shared/places/index.ts";

/** A Google provider whose server responds with `respond`, with its requests and problems. */
function createProvider(respond: () => Response | Promise<Response>, timeoutMs = 4_000) {
  const requests: { url: string; init: RequestInit }[] = [];
  const problems: string[] = [];
  const fetch: Fetch = async (url, init) => {
    requests.push({ url, init });
    return respond();
  };
  const provider = createGooglePlaces({
    apiKey: "key-for-tests",
    countries: ["GH", "NG"],
    fetch,
    timeoutMs,
    report: ({ call, problem }) => problems.push(`${call}: ${problem}`),
  });
  return { requests, problems, provider };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "Content-Type": "application/json; charset=UTF-8" },
    });

const token = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** A response of Place Autocomplete (New), as documented. */
const suggestions = {
  suggestions: [
    {
      placePrediction: {
        place: "places/ChIJ5YQQf1GHhYARPKG7WLIaOko",
        placeId: "ChIJ5YQQf1GHhYARPKG7WLIaOko",
        text: {
          text: "Oxford Street, Accra, Ghana",
          matches: [{ endOffset: 6 }],
        },
        structuredFormat: {
          mainText: { text: "Oxford Street", matches: [{ endOffset: 6 }] },
          secondaryText: { text: "Accra, Ghana" },
        },
        types: ["route", "geocode"],
      },
    },
    { queryPrediction: { text: { text: "oxford street shops" } } },
    { placePrediction: { placeId: "ChIJ2", text: { text: "Oxford" } } },
  ],
};

/** A response of Place Details (New), as documented. */
const details = {
  id: "ChIJ5YQQf1GHhYARPKG7WLIaOko",
  formattedAddress: "12 Oxford St, Accra, Ghana",
  addressComponents: [
    { longText: "12", shortText: "12", types: ["street_number"], languageCode: "en-US" },
    { longText: "Oxford Street", shortText: "Oxford St", types: ["route"], languageCode: "en" },
    { longText: "Accra", shortText: "Accra", types: ["locality", "political"] },
    { longText: "Accra Metro", shortText: "Accra Metro", types: ["administrative_area_level_2"] },
    {
      longText: "Greater Accra Region",
      shortText: "Greater Accra Region",
      types: ["administrative_area_level_1", "political"],
    },
    { longText: "Ghana", shortText: "GH", types: ["country", "political"] },
  ],
  location: { latitude: 5.5572, longitude: -0.1824 },
  viewport: {
    low: { latitude: 5.55, longitude: -0.19 },
    high: { latitude: 5.56, longitude: -0.18 },
  },
};

const input = { input: "  oxford  ", sessionToken: token };
const place = { placeId: details.id, sessionToken: token };

describe("autocompletePlaces with Google", () => {
  it("requests the business's countries, the session and the needed fields, and parses the response", async () => {
    const { requests, provider } = createProvider(json(suggestions));
    expect(await autocompletePlaces(provider, input)).toEqual([
      {
        placeId: "ChIJ5YQQf1GHhYARPKG7WLIaOko",
        description: "Oxford Street, Accra, Ghana",
        mainText: "Oxford Street",
        secondaryText: "Accra, Ghana",
      },
      { placeId: "ChIJ2", description: "Oxford", mainText: "Oxford", secondaryText: "" },
    ]);
    const [{ url, init } = { url: "", init: {} }] = requests;
    expect(url).toBe("https://places.googleapis.com/v1/places:autocomplete");
    expect(init).toMatchObject({
      method: "POST",
      headers: {
        "X-Goog-Api-Key": "key-for-tests",
        "X-Goog-FieldMask": expect.stringContaining("suggestions.placePrediction.placeId"),
      },
    });
    expect(JSON.parse(String(init.body))).toEqual({
      input: "oxford",
      sessionToken: token,
      regionCode: "gh",
      includedRegionCodes: ["gh", "ng"],
    });
  });

  it("returns no predictions for a response without suggestions", async () => {
    expect(await autocompletePlaces(createProvider(json({})).provider, input)).toEqual([]);
  });

  it.each(["", "ab", " a b"])("does not call Google for %j", async (input) => {
    const { requests, provider } = createProvider(json(suggestions));
    const isShort = [...input.trim()].length < 3;
    const predictions = await autocompletePlaces(provider, { input, sessionToken: null });
    expect(requests).toHaveLength(isShort ? 0 : 1);
    if (isShort) expect(predictions).toEqual([]);
  });

  it.each(["x".repeat(37), "a b", "token/../x", ""])(
    "does not send the session token %j",
    async (sessionToken) => {
      const { requests, provider } = createProvider(json(suggestions));
      await autocompletePlaces(provider, { input: "oxford", sessionToken });
      expect(JSON.parse(String(requests[0]?.init.body))).not.toHaveProperty("sessionToken");
    },
  );
});

describe("getPlaceDetails with Google", () => {
  it("requests the fields and parses the parts of the address", async () => {
    const { requests, provider } = createProvider(json(details));
    expect(await getPlaceDetails(provider, place)).toEqual({
      placeId: details.id,
      formattedAddress: "12 Oxford St, Accra, Ghana",
      streetAddress: "12 Oxford Street",
      city: "Accra",
      region: "Greater Accra Region",
      country: "GH",
      postalCode: null,
      location: { lat: 5.5572, lng: -0.1824 },
      viewport: { low: { lat: 5.55, lng: -0.19 }, high: { lat: 5.56, lng: -0.18 } },
    });
    expect(requests[0]).toMatchObject({
      url: `https://places.googleapis.com/v1/places/${details.id}?sessionToken=${token}`,
      init: {
        method: "GET",
        headers: {
          "X-Goog-FieldMask": "id,formattedAddress,addressComponents,location,viewport",
        },
      },
    });
  });

  it.each([
    ["postal_town", ["postal_town"], "London"],
    ["the second level", ["administrative_area_level_2"], "London"],
  ])("uses %s as the city without a locality", async (_, types, city) => {
    const { provider } = createProvider(
      json({ ...details, addressComponents: [{ longText: city, shortText: city, types }] }),
    );
    expect(await getPlaceDetails(provider, place)).toMatchObject({ city, streetAddress: null });
  });

  it("returns NOT_FOUND for an unknown place, and does not send invalid ids", async () => {
    const googleError = (code: number, status: string, message: string) => ({
      error: { code, status, message },
    });
    for (const answer of [
      json(googleError(404, "NOT_FOUND", "The Place ID is no longer valid."), 404),
      json(googleError(400, "INVALID_ARGUMENT", "Not a valid Place ID: x"), 400),
    ]) {
      await expect(getPlaceDetails(createProvider(answer).provider, place)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    const { requests, provider } = createProvider(json(details));
    for (const placeId of ["../places:autocomplete", "a/b", "a?b", "x".repeat(501)]) {
      await expect(
        getPlaceDetails(provider, { placeId, sessionToken: null }),
      ).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    expect(requests).toEqual([]);
  });
});

describe("a failing Google", () => {
  const body =
    (text: string, status = 200) =>
    () =>
      new Response(text, { status });
  it.each([
    ["down", json({ error: { status: "UNAVAILABLE", message: "" } }, 503)],
    ["over its quota", json({ error: { status: "RESOURCE_EXHAUSTED", message: "" } }, 429)],
    [
      "given a wrong key",
      json({ error: { status: "INVALID_ARGUMENT", message: "API key not valid." } }, 400),
    ],
    ["forbidden", json({ error: { status: "PERMISSION_DENIED", message: "" } }, 403)],
    ["responding with a page", body("<html>", 200)],
    ["responding with a page for 404", body("<html>", 404)],
    ["responding with incomplete JSON", body('{"suggestions":[{"placePred')],
    [
      "responding with another shape",
      json({ suggestions: [{ placePrediction: { placeId: 7 } }], id: 7 }),
    ],
    ["responding endlessly", body(`"${"x".repeat(300 * 1024)}"`)],
    [
      "redirecting",
      () => new Response(null, { status: 302, headers: { Location: "https://x.test" } }),
    ],
    [
      "unreachable",
      () => {
        throw new TypeError("connection refused");
      },
    ],
  ])("is SERVICE_UNAVAILABLE while it is %s, logged without the address", async (_, answer) => {
    const { provider, problems } = createProvider(answer);
    const refusal = { code: "SERVICE_UNAVAILABLE" };
    await expect(autocompletePlaces(provider, input)).rejects.toMatchObject(refusal);
    await expect(getPlaceDetails(provider, place)).rejects.toMatchObject(refusal);
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toMatch(/oxford|ChIJ/i);
  });

  it("times out, also in the middle of a response", async () => {
    const never = () => new Promise<Response>(() => {});
    const stall = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    for (const answer of [never, stall]) {
      const { provider, problems } = createProvider(answer, 20);
      await expect(autocompletePlaces(provider, input)).rejects.toMatchObject({
        code: "SERVICE_UNAVAILABLE",
      });
      expect(problems).toEqual(["autocomplete: timeout"]);
    }
  });
});
