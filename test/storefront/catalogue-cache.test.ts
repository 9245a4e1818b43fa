import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createBusiness, roundTrips, shopper } from "../support/world.ts";
import { createProductRow, namesOf, updateProductRow } from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let product: { id: string };
const get = (path: string, headers: Record<string, string> = {}) =>
  shopper(shop)("GET", path, { headers });

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await createBusiness();
  product = await createProductRow(shop, { name: "First" });
});

afterEach(() => {
  vi.useRealTimers();
});

const advanceClock = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("a catalogue read", () => {
  it.each([
    ["a list", () => "/catalogue/products?search=first&tags=&limit=5"],
    [
      "a list at a location",
      () => `/catalogue/products?location_id=${shop.business.locations[0]?.id}`,
    ],
    ["a product", () => `/catalogue/products/${product.id}`],
    ["its variants", () => `/catalogue/products/${product.id}/variants`],
    ["the categories", () => "/catalogue/categories"],
    ["the bundles", () => "/catalogue/bundles"],
    ["the composites", () => "/catalogue/composites"],
  ])("of %s takes at most two round trips uncached and none cached", async (_what, path) => {
    const cold = await get(path());
    expect(cold.status).toBe(200);
    expect(roundTrips(cold)).toMatchObject({ d1: 2, do: 0 });
    const warm = await get(path());
    expect(roundTrips(warm)).toMatchObject({ d1: 0, do: 0 });
    expect(warm.body).toEqual(cold.body);
    expect(warm.headers.get("etag")).toBe(cold.headers.get("etag"));
  });

  it("that depends on stock takes at most two round trips", async () => {
    expect(roundTrips(await get("/catalogue/products?in_stock=true"))).toMatchObject({
      d1: 2,
      do: 0,
    });
    expect(roundTrips(await get("/catalogue/products?in_stock=true"))).toMatchObject({
      d1: 1,
      do: 0,
    });
  });

  it("is cached for any order of its query parameters", async () => {
    await get("/catalogue/products?limit=5&featured=false");
    expect(roundTrips(await get("/catalogue/products?featured=false&limit=5")).d1).toBe(0);
  });

  it("shows a change at most 5 s later, also under continuous traffic", async () => {
    const path = "/catalogue/products";
    expect(namesOf(await get(path))).toEqual(["First"]);
    advanceClock(1);
    await updateProductRow(shop, product.id, { name: "Second" });
    expect(namesOf(await get(path))).toEqual(["First"]);
    advanceClock(5_000);
    expect(namesOf(await get(path))).toEqual(["Second"]);
  });

  it("refreshes a stale version in the background, so that no request waits", async () => {
    const path = "/catalogue/products";
    await get(path);
    await updateProductRow(shop, product.id, { name: "Second" });
    advanceClock(3_000);
    const stale = await get(path);
    expect(namesOf(stale)).toEqual(["First"]);
    expect(roundTrips(stale).d1).toBe(0);
    await expect.poll(async () => namesOf(await get(path))).toEqual(["Second"]);
  });

  it("never returns another business's cached response", async () => {
    const other = await createBusiness();
    await createProductRow(other, { name: "Another's" }); // both catalogues are at the same version
    for (const query of ["", "?limit=5&page=1"]) {
      const path = `/catalogue/products${query}`;
      for (const _cache of ["cold", "warm"]) {
        expect(namesOf(await get(path))).toEqual(["First"]);
        expect(namesOf(await shopper(other)("GET", path))).toEqual(["Another's"]);
      }
    }
  });
});

describe("If-None-Match", () => {
  const path = "/catalogue/products";

  it("gets 304 while nothing changed", async () => {
    const { headers } = await get(path);
    const tag = headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const response = await get(path, { "If-None-Match": condition });
      expect(response).toMatchObject({ status: 304, body: "" });
      expect(response.headers.get("etag")).toBe(tag);
      expect(response.headers.get("cache-control")).toBe("public, no-cache");
      expect(response.headers.get("vary")).toContain("X-Public-Key");
    }
  });

  it("gets the body for another tag, and after the catalogue changed", async () => {
    const { headers } = await get(path);
    const tag = headers.get("etag") ?? "";
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await get(`${path}?limit=1`, { "If-None-Match": tag })).status).toBe(200);
    await updateProductRow(shop, product.id, { name: "Second" });
    advanceClock(5_001);
    expect((await get(path, { "If-None-Match": tag })).status).toBe(200);
  });

  it("gets 304 when the catalogue changed, but not this response", async () => {
    await createProductRow(shop, { name: "Another" });
    const { headers } = await get(`/catalogue/products/${product.id}`);
    const tag = headers.get("etag") ?? "";
    await createProductRow(shop, { name: "A third" });
    advanceClock(5_001);
    const again = await get(`/catalogue/products/${product.id}`, { "If-None-Match": tag });
    expect(again.status).toBe(304);
  });

  it("gets the headers by which shared caches separate businesses", async () => {
    const { headers } = await get(path, { Origin: "https://shop.example" });
    expect(headers.get("cache-control")).toBe("public, no-cache");
    expect(headers.get("vary")).toBe("X-Public-Key, X-API-Key, X-Business-Id, Origin");
  });
});
