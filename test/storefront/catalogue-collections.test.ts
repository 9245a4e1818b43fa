import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { at } from "../business/given.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { call, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";
import { dataOf, givenProduct } from "./catalogue-stock.ts";

let shop: CreatedBusiness;
let [a, b, c, inactive]: { id: string }[] = [];
let [listed, ruled, archived, foreign]: string[] = [];

const get = (path: string) => shopper(shop)("GET", `/catalogue/collections${path}`);

const given = async (of: CreatedBusiness, body: Record<string, unknown>): Promise<string> =>
  String(at(await merchant(of)("POST", "/collections", { body }), "data.id"));

beforeAll(async () => {
  shop = await givenBusiness();
  a = await givenProduct(shop, { name: "A", tags: ["hot", "local"], createdAt: 1 });
  b = await givenProduct(shop, { name: "B", tags: ["hot", "local", "new"], createdAt: 2 });
  c = await givenProduct(shop, { name: "C", tags: ["hot"], createdAt: 3 });
  inactive = await givenProduct(shop, { name: "D", tags: ["hot", "local"], isActive: false });
  const other = await givenNeighbour(shop);
  await givenProduct(other, { tags: ["hot", "local"] });
  foreign = await given(other, { name: "Foreign", product_ids: [] });
  ruled = await given(shop, {
    name: "Local heat",
    rule: { tags: ["hot", "local"] },
    description: "d",
    metadata: { banner: 1 },
    sort_order: 2,
  });
  listed = await given(shop, {
    name: "Picked",
    product_ids: [a?.id, inactive?.id, c?.id],
    image_url: "https://cdn.test/p.png",
    sort_order: 1,
  });
  archived = await given(shop, { name: "Gone", product_ids: [] });
  await merchant(shop)("DELETE", `/collections/${archived}`);
});

describe("GET /catalogue/collections", () => {
  it("lists them in the merchant's order with the number of active products", async () => {
    const answer = await get("");
    expect(dataOf(answer)).toEqual([
      {
        id: listed,
        name: "Picked",
        slug: "picked",
        image_url: "https://cdn.test/p.png",
        product_count: 2,
      },
      { id: ruled, name: "Local heat", slug: "local-heat", image_url: null, product_count: 2 },
    ]);
    expect(roundTrips(await get("?limit=3")).d1).toBe(1);
    expect(roundTrips(await get("?limit=3")).d1).toBe(0);
  });

  it("looks for words in the name and stops at the limit", async () => {
    expect(dataOf(await get("?search=HEAT"))).toMatchObject([{ id: ruled }]);
    expect(dataOf(await get("?search=nothing"))).toEqual([]);
    expect(dataOf(await get("?limit=1"))).toMatchObject([{ id: listed }]);
  });

  it("takes a location of the business, and no other", async () => {
    const locationId = shop.business.locations[0]?.id;
    expect(dataOf<unknown[]>(await get(`?location_id=${locationId}`))).toHaveLength(2);
    expect((await get("?location_id=loc_unknown")).status).toBe(404);
  });

  it.each(["limit=0", "limit=101", `search=${"x".repeat(201)}`])("refuses %s", async (query) => {
    expect((await get(`?${query}`)).status).toBe(400);
  });

  it("refuses a call without a key", async () => {
    expect((await call("GET", "/api/v1/catalogue/collections")).status).toBe(401);
  });
});

describe("GET /catalogue/collections/{collection_id}", () => {
  it("answers by id and by slug, with description and metadata", async () => {
    const byId = await get(`/${ruled}`);
    expect(dataOf(byId)).toEqual({
      id: ruled,
      name: "Local heat",
      slug: "local-heat",
      image_url: null,
      product_count: 2,
      description: "d",
      metadata: { banner: 1 },
    });
    expect((await get("/local-heat")).body).toEqual(byId.body);
  });

  it("does not find an unknown, an archived or another business's", async () => {
    for (const id of ["col_unknown", archived, foreign, "gone", "foreign"]) {
      for (const path of [`/${id}`, `/${id}/products`]) {
        expect((await get(path)).status, path).toBe(404);
      }
    }
  });
});

describe("GET /catalogue/collections/{collection_id}/products", () => {
  const ids = (answer: Awaited<ReturnType<typeof get>>) =>
    dataOf<{ items: { id: string }[] }>(answer).items.map(({ id }) => id);

  it("keeps a list's order and shows active products alone", async () => {
    const answer = await get(`/${listed}/products`);
    expect(ids(answer)).toEqual([a?.id, c?.id]);
    expect(at(answer, "data.pagination")).toEqual({
      limit: 20,
      offset: 0,
      total: 2,
      has_more: false,
    });
    expect(ids(await get("/picked/products"))).toEqual([a?.id, c?.id]);
  });

  it("shows a rule's products, the newest first, as they are when it is read", async () => {
    expect(ids(await get(`/${ruled}/products`))).toEqual([b?.id, a?.id]);
    await merchant(shop)("PATCH", `/products/${c?.id}`, { body: { tags: ["local", "hot"] } });
    expect(ids(await get(`/${ruled}/products?limit=50`))).toContain(c?.id);
    await merchant(shop)("PATCH", `/products/${c?.id}`, { body: { tags: ["hot"] } });
  });

  it("pages by number and by offset, and not by both", async () => {
    const second = await get(`/${listed}/products?limit=1&page=2`);
    expect(ids(second)).toEqual([c?.id]);
    expect(at(second, "data.pagination")).toEqual({
      limit: 1,
      offset: 1,
      total: 2,
      has_more: false,
    });
    expect(ids(await get(`/${listed}/products?limit=1&offset=1`))).toEqual([c?.id]);
    expect(at(await get(`/${listed}/products?limit=1`), "data.pagination.has_more")).toBe(true);
    for (const query of ["page=1&offset=0", "page=0", "offset=-1", "limit=0"]) {
      expect((await get(`/${listed}/products?${query}`)).status, query).toBe(400);
    }
  });
});
