import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { valueAt } from "../support/responses.ts";
import {
  call,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { createProductRow, requireData } from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let [a, b, c, inactive]: { id: string }[] = [];
let [listed, ruled, archived, foreign]: string[] = [];

const get = (path: string) => shopper(shop)("GET", `/catalogue/collections${path}`);

const createCollection = async (
  owner: CreatedBusiness,
  body: Record<string, unknown>,
): Promise<string> =>
  String(valueAt(await merchant(owner)("POST", "/collections", { body }), "data.id"));

beforeAll(async () => {
  shop = await createBusiness();
  a = await createProductRow(shop, { name: "A", tags: ["hot", "local"], createdAt: 1 });
  b = await createProductRow(shop, { name: "B", tags: ["hot", "local", "new"], createdAt: 2 });
  c = await createProductRow(shop, { name: "C", tags: ["hot"], createdAt: 3 });
  inactive = await createProductRow(shop, { name: "D", tags: ["hot", "local"], isActive: false });
  const other = await createBusinessOnSameShard(shop);
  await createProductRow(other, { tags: ["hot", "local"] });
  foreign = await createCollection(other, { name: "Foreign", product_ids: [] });
  ruled = await createCollection(shop, {
    name: "Local heat",
    rule: { tags: ["hot", "local"] },
    description: "d",
    metadata: { banner: 1 },
    sort_order: 2,
  });
  listed = await createCollection(shop, {
    name: "Picked",
    product_ids: [a?.id, inactive?.id, c?.id],
    image_url: "https://cdn.test/p.png",
    sort_order: 1,
  });
  archived = await createCollection(shop, { name: "Gone", product_ids: [] });
  await merchant(shop)("DELETE", `/collections/${archived}`);
});

describe("GET /catalogue/collections", () => {
  it("lists collections in display order with their number of active products", async () => {
    const answer = await get("");
    expect(requireData(answer)).toEqual([
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

  it("searches names and applies the limit", async () => {
    expect(requireData(await get("?search=HEAT"))).toMatchObject([{ id: ruled }]);
    expect(requireData(await get("?search=nothing"))).toEqual([]);
    expect(requireData(await get("?limit=1"))).toMatchObject([{ id: listed }]);
  });

  it("accepts only a location of the business", async () => {
    const locationId = shop.business.locations[0]?.id;
    expect(requireData<unknown[]>(await get(`?location_id=${locationId}`))).toHaveLength(2);
    expect((await get("?location_id=loc_unknown")).status).toBe(404);
  });

  it.each(["limit=0", "limit=101", `search=${"x".repeat(201)}`])("refuses %s", async (query) => {
    expect((await get(`?${query}`)).status).toBe(400);
  });

  it("requires a key", async () => {
    expect((await call("GET", "/api/v1/catalogue/collections")).status).toBe(401);
  });
});

describe("GET /catalogue/collections/{collection_id}", () => {
  it("finds a collection by id and by slug, with description and metadata", async () => {
    const byId = await get(`/${ruled}`);
    expect(requireData(byId)).toEqual({
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

  it("does not find an unknown or archived collection, or another business's", async () => {
    for (const id of ["col_unknown", archived, foreign, "gone", "foreign"]) {
      for (const path of [`/${id}`, `/${id}/products`]) {
        expect((await get(path)).status, path).toBe(404);
      }
    }
  });
});

describe("GET /catalogue/collections/{collection_id}/products", () => {
  const ids = (answer: Awaited<ReturnType<typeof get>>) =>
    requireData<{ items: { id: string }[] }>(answer).items.map(({ id }) => id);

  it("lists only active products, in the collection's order", async () => {
    const answer = await get(`/${listed}/products`);
    expect(ids(answer)).toEqual([a?.id, c?.id]);
    expect(valueAt(answer, "data.pagination")).toEqual({
      limit: 20,
      offset: 0,
      total: 2,
      has_more: false,
    });
    expect(ids(await get("/picked/products"))).toEqual([a?.id, c?.id]);
  });

  it("lists the current products of a rule, newest first", async () => {
    expect(ids(await get(`/${ruled}/products`))).toEqual([b?.id, a?.id]);
    await merchant(shop)("PATCH", `/products/${c?.id}`, { body: { tags: ["local", "hot"] } });
    expect(ids(await get(`/${ruled}/products?limit=50`))).toContain(c?.id);
    await merchant(shop)("PATCH", `/products/${c?.id}`, { body: { tags: ["hot"] } });
  });

  it("pages by number or by offset, but not by both", async () => {
    const second = await get(`/${listed}/products?limit=1&page=2`);
    expect(ids(second)).toEqual([c?.id]);
    expect(valueAt(second, "data.pagination")).toEqual({
      limit: 1,
      offset: 1,
      total: 2,
      has_more: false,
    });
    expect(ids(await get(`/${listed}/products?limit=1&offset=1`))).toEqual([c?.id]);
    expect(valueAt(await get(`/${listed}/products?limit=1`), "data.pagination.has_more")).toBe(
      true,
    );
    for (const query of ["page=1&offset=0", "page=0", "offset=-1", "limit=0"]) {
      expect((await get(`/${listed}/products?${query}`)).status, query).toBe(400);
    }
  });
});
