import { describe, expect, it } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  type ApiClient,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";
import { createShop, postProduct } from "./create-product.ts";

async function postCollection(ask: ApiClient, body: Record<string, unknown>): Promise<string> {
  const response = await ask("POST", "/collections", { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return String(valueAt(response, "data.id"));
}

const postTea = async (ask: ApiClient, fields: Record<string, unknown> = {}) =>
  (await postProduct(ask, { name: "Tea", default_price: "1", ...fields })).id;

describe("POST /v1/businesses/{business_id}/collections", () => {
  it("creates a collection of products in the given order without duplicates", async () => {
    const { shop, ask } = await createShop();
    const [a, b] = [await postTea(ask), await postTea(ask, { is_active: false })];
    const fields = {
      name: "Summer",
      description: "d",
      image_url: "https://cdn.test/a.png",
      sort_order: 2,
      metadata: { a: 1 },
    };
    const response = await ask("POST", "/collections", {
      body: { ...fields, product_ids: [b, a, b] },
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual(
      success({
        ...fields,
        id: expect.stringMatching(/^col_/),
        slug: "summer",
        product_count: 1,
        product_ids: [b, a],
        rule: null,
      }),
    );
    expect((await ask("GET", `/collections/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(roundTrips(response).d1).toBe(2);
    expect(await countBusinessRows(shop)).toMatchObject({ collections: 1, version: 3 });
    expect((await listAuditActions(shop)).at(-1)).toBe("collection.created");
  });

  it("creates a collection by rule, with the products that have all of its tags", async () => {
    const { ask } = await createShop();
    await postTea(ask, { tags: ["hot", "black"] });
    await postTea(ask, { tags: ["hot"] });
    const response = await ask("POST", "/collections", {
      body: { name: "Hot", rule: { tags: ["black", "hot", "hot"] } },
    });
    expect(response.body).toMatchObject(
      success({ product_ids: null, rule: { tags: ["black", "hot"] }, product_count: 1 }),
    );
  });

  it("numbers a generated slug and rejects a requested slug that is taken", async () => {
    const { ask } = await createShop();
    await postCollection(ask, { name: "Summer", product_ids: [] });
    const second = await ask("POST", "/collections", { body: { name: "Summer", product_ids: [] } });
    expect(valueAt(second, "data.slug")).toBe("summer-2");
    const given = await ask("POST", "/collections", {
      body: { name: "Other", slug: "summer", product_ids: [] },
    });
    expect(given.status).toBe(409);
  });

  it.each([
    ["name", { name: "" }],
    ["slug", { slug: "A B" }],
    ["image_url", { image_url: "nowhere" }],
    ["description", { description: "x".repeat(20_001) }],
    ["sort_order", { sort_order: 1.5 }],
    ["metadata", { metadata: "x" }],
    ["product_ids", { product_ids: undefined }],
    ["product_ids.0", { product_ids: ["prod_unknown"] }],
    ["rule", { rule: { tags: ["hot"] } }],
    ["rule.tags", { product_ids: undefined, rule: { tags: [] } }],
    ["rule.tags.0", { product_ids: undefined, rule: { tags: ["a,b"] } }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const body = { name: "Summer", product_ids: [], ...fields };
    const response = await ask("POST", "/collections", { body });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({
      collections: 0,
      version: 0,
      audit_entries: 0,
    });
  });

  it("rejects another business's product with its index", async () => {
    const { shop, ask } = await createShop();
    const own = await postTea(ask);
    const foreign = await postTea(merchant(await createBusinessOnSameShard(shop)));
    const response = await ask("POST", "/collections", {
      body: { name: "Summer", product_ids: [own, foreign] },
    });
    expect(response.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "product_ids.1" } }),
    );
  });

  it("rejects a key without the scope", async () => {
    const { shop, ask } = await createShop();
    const key = await createKey(shop, { scopes: ["catalogue:read"] });
    const response = await ask("POST", "/collections", {
      body: { name: "Summer", product_ids: [] },
      headers: { "X-API-Key": key },
    });
    expect(response.status).toBe(403);
    const publishable = { "X-API-Key": shop.keys.publishable };
    expect((await ask("GET", "/collections", { headers: publishable })).status).toBe(401);
    expect(await countBusinessRows(shop)).toMatchObject({ collections: 0 });
  });
});

describe("PATCH /v1/businesses/{business_id}/collections/{collection_id}", () => {
  it("changes only the fields that are sent", async () => {
    const { ask } = await createShop();
    const a = await postTea(ask);
    const id = await postCollection(ask, { name: "Summer", product_ids: [a], sort_order: 3 });
    const changed = await ask("PATCH", `/collections/${id}`, { body: { name: "Warm" } });
    expect(changed.body).toMatchObject(
      success({ id, name: "Warm", slug: "summer", sort_order: 3, product_ids: [a] }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/collections/${id}`)).body).toEqual(changed.body);
  });

  it("replaces a list by another order, by a rule, and a rule by a list", async () => {
    const { ask } = await createShop();
    const [a, b] = [await postTea(ask, { tags: ["hot"] }), await postTea(ask)];
    const id = await postCollection(ask, { name: "Summer", product_ids: [a, b] });
    const patch = async (body: object) => {
      const response = await ask("PATCH", `/collections/${id}`, { body });
      expect((await ask("GET", `/collections/${id}`)).body).toEqual(response.body);
      return response.body;
    };
    expect(await patch({ product_ids: [b, a] })).toMatchObject(
      success({ product_ids: [b, a], rule: null, product_count: 2 }),
    );
    expect(await patch({ rule: { tags: ["hot"] } })).toMatchObject(
      success({ product_ids: null, rule: { tags: ["hot"] }, product_count: 1 }),
    );
    expect(await patch({ product_ids: [b] })).toMatchObject(
      success({ product_ids: [b], rule: null, product_count: 1 }),
    );
  });

  it("rejects an unknown product, a rule together with a list and a taken slug, and stores nothing", async () => {
    const { shop, ask } = await createShop();
    await postCollection(ask, { name: "Winter", product_ids: [] });
    const id = await postCollection(ask, { name: "Summer", product_ids: [] });
    const before = await countBusinessRows(shop);
    const patch = (body: object) => ask("PATCH", `/collections/${id}`, { body });
    expect((await patch({ product_ids: ["prod_unknown"] })).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "product_ids.0" } }),
    );
    expect((await patch({ product_ids: [], rule: { tags: ["a"] } })).status).toBe(400);
    expect((await patch({ slug: "winter" })).status).toBe(409);
    expect(await countBusinessRows(shop)).toEqual(before);
  });
});

describe("DELETE /v1/businesses/{business_id}/collections/{collection_id}", () => {
  it("archives a collection, keeps its products and frees its slug; a repeat changes nothing", async () => {
    const { shop, ask } = await createShop();
    const a = await postTea(ask);
    const id = await postCollection(ask, { name: "Summer", slug: "summer", product_ids: [a] });
    const archived = await ask("DELETE", `/collections/${id}`);
    expect(archived.body).toMatchObject(success({ id, name: "Summer" }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/collections/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/collections/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/collections/${id}`, { body: { name: "X" } })).status).toBe(404);
    expect((await ask("GET", `/products/${a}`)).status).toBe(200);
    await postCollection(ask, { name: "Summer", slug: "summer", product_ids: [] });
  });
});

describe("a collection of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask } = await createShop();
    const id = await postCollection(ask, { name: "Summer", product_ids: [] });
    const other = await createBusinessOnSameShard(shop);
    const body = method === "PATCH" ? { body: { name: "Mine" } } : {};
    const response = await merchant(other)(method, `/collections/${id}`, body);
    expect(response.status).toBe(404);
    expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect(valueAt(await ask("GET", `/collections/${id}`), "data.name")).toBe("Summer");
  });
});

describe("GET /v1/businesses/{business_id}/collections", () => {
  it("lists collections in the order of display", async () => {
    const { shop, ask } = await createShop();
    await postCollection(ask, { name: "Last", sort_order: 9, product_ids: [] });
    await postCollection(ask, { name: "First", sort_order: -1, product_ids: [] });
    await postCollection(ask, { name: "Middle", product_ids: [] });
    await postCollection(merchant(await createBusinessOnSameShard(shop)), {
      name: "Other",
      product_ids: [],
    });
    const first = await ask("GET", "/collections?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ name: "First" }, { name: "Middle" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `/collections?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({ items: [{ name: "Last" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});
