import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import worker from "../support/worker.ts";
import { createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const sessionToken = "0f8fad5b-d9cb-469f-a165-70867728950e";
const autocomplete = (body: object) => ask("POST", "/places/autocomplete", { body });
const details = (body: object) => ask("POST", "/places/details", { body });

describe("POST /places/autocomplete", () => {
  it.each([
    "Accra",
    "Kumasi",
    "Lagos",
    "Nairobi",
    "London",
    "New York",
    "oxford str",
    "LONDON downing",
  ])("finds %s without a round trip", async (input) => {
    await autocomplete({ input, sessionToken });
    const answer = await autocomplete({ input, sessionToken });
    expect(answer.status).toBe(200);
    expect(dataOf(answer).predictions[0]).toEqual({
      place_id: expect.stringMatching(/^demo-/),
      description: expect.any(String),
      main_text: expect.any(String),
      secondary_text: expect.any(String),
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 0, do: 0 });
  });

  it("returns no predictions for fewer than three characters or unknown places", async () => {
    for (const input of ["", "ac", " ac ", "Atlantis", "!!!"]) {
      expect(await autocomplete({ input, sessionToken })).toMatchObject({
        status: 200,
        body: { success: true, data: { predictions: [] } },
      });
    }
  });

  it("rejects a missing or too long input, and accepts any session token", async () => {
    expect(await autocomplete({ sessionToken })).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field: "input" } } },
    });
    expect(await autocomplete({ input: "x".repeat(501) })).toMatchObject({ status: 400 });
    for (const token of [undefined, null, "", "not a uuid"]) {
      expect(await autocomplete({ input: "Accra", sessionToken: token })).toMatchObject({
        status: 200,
      });
    }
  });
});

describe("POST /places/details", () => {
  it("returns the address parts of each predicted place", async () => {
    const { predictions } = dataOf(await autocomplete({ input: "London" }));
    for (const { place_id } of predictions) {
      expect(dataOf(await details({ place_id, sessionToken }))).toEqual({
        place_id,
        formatted_address: expect.stringContaining("London"),
        components: {
          street_address: expect.any(String),
          city: "London",
          region: "England",
          country: "GB",
          postal_code: expect.any(String),
        },
        location: { lat: expect.any(Number), lng: expect.any(Number) },
        viewport: expect.any(Object),
      });
    }
    const [accra] = dataOf(await autocomplete({ input: "Accra" })).predictions;
    const { components } = dataOf(await details({ place_id: accra.place_id }));
    expect(components).toMatchObject({ country: "GH", postal_code: null });
  });

  it("returns 404 for an unknown place, 400 without a place_id", async () => {
    expect(await details({ place_id: "ChIJ-nowhere" })).toMatchObject({
      status: 404,
      body: { success: false, error: { code: "NOT_FOUND", retryable: false } },
    });
    expect(await details({})).toMatchObject({ status: 400 });
  });
});

describe("the places provider", () => {
  const autocompleteWith = async (bindings: object, { keys }: CreatedBusiness) => {
    const response = await worker.fetch(
      new Request("https://duka.test/api/v1/places/autocomplete", {
        method: "POST",
        headers: { "X-Public-Key": keys.publishable, "Content-Type": "application/json" },
        body: JSON.stringify({ input: "Accra" }),
      }),
      { ...env, ...bindings },
      createExecutionContext(),
    );
    return { status: response.status, body: await response.json() };
  };
  const googleBindings = { PLACES_PROVIDER: "google", GOOGLE_PLACES_API_KEY: "key-for-tests" };

  it("returns 500 INTERNAL when none is configured", async () => {
    expect(await autocompleteWith({ PLACES_PROVIDER: undefined }, shop)).toMatchObject({
      status: 500,
      body: { success: false, error: { code: "INTERNAL", retryable: true } },
    });
  });

  it("uses Google when configured; an outage is 503 and logged without key and address", async () => {
    const live = await createBusiness({ mode: "live" });
    const fetchSpy = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => new Response("{}", { status: 503 }));
    const lines = (["info", "warn", "error"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    expect(await autocompleteWith(googleBindings, live)).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
    const logged = JSON.stringify(lines.flatMap(({ mock }) => mock.calls));
    expect(logged).toContain("address provider call failed");
    expect(logged).not.toMatch(/key-for-tests|Accra|[?]|googleapis/);
    expect(String(fetchSpy.mock.calls[0]?.[0])).toMatch(/^https:\/\/places\.googleapis\.com\//);
  });

  it("uses the demo provider in test mode", async () => {
    const fetchSpy = vi.spyOn(globalThis, "fetch");
    expect(await autocompleteWith(googleBindings, shop)).toMatchObject({ status: 200 });
    expect(fetchSpy).not.toHaveBeenCalled();
  });
});
