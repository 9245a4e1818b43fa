import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { changeProduct, givenProduct, namesOf } from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let product: { id: string };
const get = (path: string, headers: Record<string, string> = {}) =>
  shopper(shop)("GET", path, { headers });

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  shop = await givenBusiness();
  product = await givenProduct(shop, { name: "First" });
});

afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

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
  ])("of %s makes at most two round trips cold and none warm", async (_what, path) => {
    const cold = await get(path());
    expect(cold.status).toBe(200);
    expect(roundTrips(cold)).toMatchObject({ d1: 2, do: 0 });
    const warm = await get(path());
    expect(roundTrips(warm)).toMatchObject({ d1: 0, do: 0 });
    expect(warm.body).toEqual(cold.body);
    expect(warm.headers.get("etag")).toBe(cold.headers.get("etag"));
  });

  it("that depends on stock, finds a variant or prices a composite makes at most two", async () => {
    expect(roundTrips(await get("/catalogue/products?in_stock=true"))).toMatchObject({
      d1: 2,
      do: 0,
    });
    expect(roundTrips(await get("/catalogue/products?in_stock=true"))).toMatchObject({
      d1: 1,
      do: 0,
    });
  });

  it("is the same whatever the order of its query", async () => {
    await get("/catalogue/products?limit=5&featured=false");
    expect(roundTrips(await get("/catalogue/products?featured=false&limit=5")).d1).toBe(0);
  });

  it("shows a change at most 5 s later, also under steady traffic", async () => {
    const path = "/catalogue/products";
    expect(namesOf(await get(path))).toEqual(["First"]);
    pass(1);
    await changeProduct(shop, product.id, { name: "Second" });
    expect(namesOf(await get(path))).toEqual(["First"]);
    pass(5_000);
    expect(namesOf(await get(path))).toEqual(["Second"]);
  });

  it("learns of a change behind an answer, so that nobody waits", async () => {
    const path = "/catalogue/products";
    await get(path);
    await changeProduct(shop, product.id, { name: "Second" });
    pass(3_000);
    const behind = await get(path);
    expect(namesOf(behind)).toEqual(["First"]);
    expect(roundTrips(behind).d1).toBe(0);
    await expect.poll(async () => namesOf(await get(path))).toEqual(["Second"]);
  });

  it("never answers with another business's", async () => {
    const other = await givenBusiness();
    await givenProduct(other, { name: "Another's" }); // both catalogues are at the same version
    for (const query of ["", "?limit=5&page=1"]) {
      const path = `/catalogue/products${query}`;
      for (const _round of ["cold", "warm"]) {
        expect(namesOf(await get(path))).toEqual(["First"]);
        expect(namesOf(await shopper(other)("GET", path))).toEqual(["Another's"]);
      }
    }
  });
});

describe("If-None-Match", () => {
  const path = "/catalogue/products";

  it("spares the body while nothing changed", async () => {
    const { headers } = await get(path);
    const tag = headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await get(path, { "If-None-Match": condition });
      expect(answer).toMatchObject({ status: 304, body: "" });
      expect(answer.headers.get("etag")).toBe(tag);
      expect(answer.headers.get("cache-control")).toBe("public, no-cache");
      expect(answer.headers.get("vary")).toContain("X-Public-Key");
    }
  });

  it("answers in full when it names other things, or the catalogue changed", async () => {
    const { headers } = await get(path);
    const tag = headers.get("etag") ?? "";
    expect((await get(path, { "If-None-Match": '"other"' })).status).toBe(200);
    expect((await get(`${path}?limit=1`, { "If-None-Match": tag })).status).toBe(200);
    await changeProduct(shop, product.id, { name: "Second" });
    pass(5_001);
    expect((await get(path, { "If-None-Match": tag })).status).toBe(200);
  });

  it("spares the body also when the catalogue changed, but for what is asked", async () => {
    await givenProduct(shop, { name: "Another" });
    const { headers } = await get(`/catalogue/products/${product.id}`);
    const tag = headers.get("etag") ?? "";
    await givenProduct(shop, { name: "A third" });
    pass(5_001);
    const again = await get(`/catalogue/products/${product.id}`, { "If-None-Match": tag });
    expect(again.status).toBe(304);
  });

  it("comes with the headers by which a shared cache tells shops apart", async () => {
    const { headers } = await get(path, { Origin: "https://shop.example" });
    expect(headers.get("cache-control")).toBe("public, no-cache");
    expect(headers.get("vary")).toBe("X-Public-Key, X-API-Key, X-Business-Id, Origin");
  });
});
