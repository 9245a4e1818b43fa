import { describe, expect, it } from "vitest";
import type { Fetch } from "../../shared/kernel/index.ts";
import { findPlace, google, predictPlaces } from "../../shared/places/index.ts";

/** Google's server: what it was asked, and what it answers. */
function standIn(answer: () => Response | Promise<Response>, timeoutMs = 4_000) {
  const asked: { url: string; init: RequestInit }[] = [];
  const problems: string[] = [];
  const fetch: Fetch = async (url, init) => {
    asked.push({ url, init });
    return answer();
  };
  const provider = google({
    apiKey: "key-for-tests",
    countries: ["GH", "NG"],
    fetch,
    timeoutMs,
    report: ({ call, problem }) => problems.push(`${call}: ${problem}`),
  });
  return { asked, problems, provider };
}

const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), {
      status,
      headers: { "Content-Type": "application/json; charset=UTF-8" },
    });

const token = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** As documented: Place Autocomplete (New), a response. */
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

/** As documented: Place Details (New), a response. */
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

const ask = { input: "  oxford  ", sessionToken: token };
const place = { placeId: details.id, sessionToken: token };

describe("autocomplete by google", () => {
  it("asks where the business is, with the session and the fields it needs, and reads the answer", async () => {
    const { asked, provider } = standIn(json(suggestions));
    expect(await predictPlaces(provider, ask)).toEqual([
      {
        placeId: "ChIJ5YQQf1GHhYARPKG7WLIaOko",
        description: "Oxford Street, Accra, Ghana",
        mainText: "Oxford Street",
        secondaryText: "Accra, Ghana",
      },
      { placeId: "ChIJ2", description: "Oxford", mainText: "Oxford", secondaryText: "" },
    ]);
    const [{ url, init } = { url: "", init: {} }] = asked;
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

  it("takes an answer without suggestions for none", async () => {
    expect(await predictPlaces(standIn(json({})).provider, ask)).toEqual([]);
  });

  it.each(["", "ab", " a b"])("asks nobody about %j", async (input) => {
    const { asked, provider } = standIn(json(suggestions));
    const isShort = [...input.trim()].length < 3;
    const found = await predictPlaces(provider, { input, sessionToken: null });
    expect(asked).toHaveLength(isShort ? 0 : 1);
    if (isShort) expect(found).toEqual([]);
  });

  it.each(["x".repeat(37), "a b", "token/../x", ""])(
    "leaves out the session token %j",
    async (bad) => {
      const { asked, provider } = standIn(json(suggestions));
      await predictPlaces(provider, { input: "oxford", sessionToken: bad });
      expect(JSON.parse(String(asked[0]?.init.body))).not.toHaveProperty("sessionToken");
    },
  );
});

describe("details by google", () => {
  it("asks for the fields and reads the parts of the address", async () => {
    const { asked, provider } = standIn(json(details));
    expect(await findPlace(provider, place)).toEqual({
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
    expect(asked[0]).toMatchObject({
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
  ])("takes %s for the city where there is no locality", async (_, types, city) => {
    const { provider } = standIn(
      json({ ...details, addressComponents: [{ longText: city, shortText: city, types }] }),
    );
    expect(await findPlace(provider, place)).toMatchObject({ city, streetAddress: null });
  });

  it("is 404 for a place that google does not know, and asks nothing about what is no id", async () => {
    const error = (code: number, status: string, message: string) => ({
      error: { code, status, message },
    });
    for (const answer of [
      json(error(404, "NOT_FOUND", "The Place ID is no longer valid."), 404),
      json(error(400, "INVALID_ARGUMENT", "Not a valid Place ID: x"), 400),
    ]) {
      await expect(findPlace(standIn(answer).provider, place)).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    const { asked, provider } = standIn(json(details));
    for (const placeId of ["../places:autocomplete", "a/b", "a?b", "x".repeat(501)]) {
      await expect(findPlace(provider, { placeId, sessionToken: null })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    }
    expect(asked).toEqual([]);
  });
});

describe("google, when something is wrong", () => {
  const body =
    (text: string, status = 200) =>
    () =>
      new Response(text, { status });
  it.each([
    ["down", json({ error: { status: "UNAVAILABLE", message: "" } }, 503)],
    ["over its quota", json({ error: { status: "RESOURCE_EXHAUSTED", message: "" } }, 429)],
    [
      "asked with a wrong key",
      json({ error: { status: "INVALID_ARGUMENT", message: "API key not valid." } }, 400),
    ],
    ["forbidden", json({ error: { status: "PERMISSION_DENIED", message: "" } }, 403)],
    ["answering with a page", body("<html>", 200)],
    ["answering a page for 404", body("<html>", 404)],
    ["answering half of its JSON", body('{"suggestions":[{"placePred')],
    [
      "answering something else",
      json({ suggestions: [{ placePrediction: { placeId: 7 } }], id: 7 }),
    ],
    ["answering endlessly", body(`"${"x".repeat(300 * 1024)}"`)],
    [
      "redirecting",
      () => new Response(null, { status: 302, headers: { Location: "https://x.test" } }),
    ],
    [
      "not to be reached",
      () => {
        throw new TypeError("connection refused");
      },
    ],
  ])("is 503 while it is %s, and the log hears of it without the address", async (_, answer) => {
    const { provider, problems } = standIn(answer);
    const refusal = { code: "SERVICE_UNAVAILABLE" };
    await expect(predictPlaces(provider, ask)).rejects.toMatchObject(refusal);
    await expect(findPlace(provider, place)).rejects.toMatchObject(refusal);
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toMatch(/oxford|ChIJ/i);
  });

  it("is 503 after its time is up, also in the middle of an answer", async () => {
    const never = () => new Promise<Response>(() => {});
    const stalling = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    for (const answer of [never, stalling]) {
      const { provider, problems } = standIn(answer, 20);
      await expect(predictPlaces(provider, ask)).rejects.toMatchObject({
        code: "SERVICE_UNAVAILABLE",
      });
      expect(problems).toEqual(["autocomplete: timeout"]);
    }
  });
});
