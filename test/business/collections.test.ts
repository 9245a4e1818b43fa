import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";
import { created as createdProduct, shopAndAsk } from "./given-product.ts";

type Ask = ReturnType<typeof merchant>;

async function created(ask: Ask, body: Record<string, unknown>): Promise<string> {
  const answer = await ask("POST", "/collections", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(at(answer, "data.id"));
}

const product = async (ask: Ask, fields: Record<string, unknown> = {}) =>
  (await createdProduct(ask, { name: "Tea", default_price: "1", ...fields })).id;

describe("POST /v1/businesses/{business_id}/collections", () => {
  it("puts a list of products in, in the given order, each once", async () => {
    const { shop, ask } = await shopAndAsk();
    const [a, b] = [await product(ask), await product(ask, { is_active: false })];
    const fields = {
      name: "Summer",
      description: "d",
      image_url: "https://cdn.test/a.png",
      sort_order: 2,
      metadata: { a: 1 },
    };
    const answer = await ask("POST", "/collections", {
      body: { ...fields, product_ids: [b, a, b] },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(
      success({
        ...fields,
        id: expect.stringMatching(/^col_/),
        slug: "summer",
        product_count: 1,
        product_ids: [b, a],
        rule: null,
      }),
    );
    expect((await ask("GET", `/collections/${at(answer, "data.id")}`)).body).toEqual(answer.body);
    expect(roundTrips(answer).d1).toBe(2);
    expect(await tracesOf(shop)).toMatchObject({ collections: 1, version: 3 });
    expect((await auditedActions(shop)).at(-1)).toBe("collection.created");
  });

  it("puts a rule in, whose products are those with all of its tags", async () => {
    const { ask } = await shopAndAsk();
    await product(ask, { tags: ["hot", "black"] });
    await product(ask, { tags: ["hot"] });
    const answer = await ask("POST", "/collections", {
      body: { name: "Hot", rule: { tags: ["black", "hot", "hot"] } },
    });
    expect(answer.body).toMatchObject(
      success({ product_ids: null, rule: { tags: ["black", "hot"] }, product_count: 1 }),
    );
  });

  it("numbers an automatic slug and refuses a given one that is taken", async () => {
    const { ask } = await shopAndAsk();
    await created(ask, { name: "Summer", product_ids: [] });
    const second = await ask("POST", "/collections", { body: { name: "Summer", product_ids: [] } });
    expect(at(second, "data.slug")).toBe("summer-2");
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
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask } = await shopAndAsk();
    const body = { name: "Summer", product_ids: [], ...fields };
    const answer = await ask("POST", "/collections", { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toMatchObject({ collections: 0, version: 0, audit_entries: 0 });
  });

  it("refuses another business's product by its place", async () => {
    const { shop, ask } = await shopAndAsk();
    const own = await product(ask);
    const foreign = await product(merchant(await givenNeighbour(shop)));
    const answer = await ask("POST", "/collections", {
      body: { name: "Summer", product_ids: [own, foreign] },
    });
    expect(answer.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "product_ids.1" } }),
    );
  });

  it("refuses a key without the scope", async () => {
    const { shop, ask } = await shopAndAsk();
    const key = await givenKey(shop, { scopes: ["catalogue:read"] });
    const answer = await ask("POST", "/collections", {
      body: { name: "Summer", product_ids: [] },
      headers: { "X-API-Key": key },
    });
    expect(answer.status).toBe(403);
    const publishable = { "X-API-Key": shop.keys.publishable };
    expect((await ask("GET", "/collections", { headers: publishable })).status).toBe(401);
    expect(await tracesOf(shop)).toMatchObject({ collections: 0 });
  });
});

describe("PATCH /v1/businesses/{business_id}/collections/{collection_id}", () => {
  it("changes what is sent and nothing else", async () => {
    const { ask } = await shopAndAsk();
    const a = await product(ask);
    const id = await created(ask, { name: "Summer", product_ids: [a], sort_order: 3 });
    const changed = await ask("PATCH", `/collections/${id}`, { body: { name: "Warm" } });
    expect(changed.body).toMatchObject(
      success({ id, name: "Warm", slug: "summer", sort_order: 3, product_ids: [a] }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/collections/${id}`)).body).toEqual(changed.body);
  });

  it("turns a list into another order, into a rule, and back", async () => {
    const { ask } = await shopAndAsk();
    const [a, b] = [await product(ask, { tags: ["hot"] }), await product(ask)];
    const id = await created(ask, { name: "Summer", product_ids: [a, b] });
    const patch = async (body: object) => {
      const answer = await ask("PATCH", `/collections/${id}`, { body });
      expect((await ask("GET", `/collections/${id}`)).body).toEqual(answer.body);
      return answer.body;
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

  it("refuses an unknown product, a rule beside a list and a taken slug, and leaves no trace", async () => {
    const { shop, ask } = await shopAndAsk();
    await created(ask, { name: "Winter", product_ids: [] });
    const id = await created(ask, { name: "Summer", product_ids: [] });
    const before = await tracesOf(shop);
    const patch = (body: object) => ask("PATCH", `/collections/${id}`, { body });
    expect((await patch({ product_ids: ["prod_unknown"] })).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "product_ids.0" } }),
    );
    expect((await patch({ product_ids: [], rule: { tags: ["a"] } })).status).toBe(400);
    expect((await patch({ slug: "winter" })).status).toBe(409);
    expect(await tracesOf(shop)).toEqual(before);
  });
});

describe("DELETE /v1/businesses/{business_id}/collections/{collection_id}", () => {
  it("archives once; its products stay, its slug is free", async () => {
    const { shop, ask } = await shopAndAsk();
    const a = await product(ask);
    const id = await created(ask, { name: "Summer", slug: "summer", product_ids: [a] });
    const archived = await ask("DELETE", `/collections/${id}`);
    expect(archived.body).toMatchObject(success({ id, name: "Summer" }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/collections/${id}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/collections/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/collections/${id}`, { body: { name: "X" } })).status).toBe(404);
    expect((await ask("GET", `/products/${a}`)).status).toBe(200);
    await created(ask, { name: "Summer", slug: "summer", product_ids: [] });
  });
});

describe("a collection of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask } = await shopAndAsk();
    const id = await created(ask, { name: "Summer", product_ids: [] });
    const other = await givenNeighbour(shop);
    const body = method === "PATCH" ? { body: { name: "Mine" } } : {};
    const answer = await merchant(other)(method, `/collections/${id}`, body);
    expect(answer.status).toBe(404);
    expect(await tracesOf(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect(at(await ask("GET", `/collections/${id}`), "data.name")).toBe("Summer");
  });
});

describe("GET /v1/businesses/{business_id}/collections", () => {
  it("pages in the order of display", async () => {
    const { shop, ask } = await shopAndAsk();
    await created(ask, { name: "Last", sort_order: 9, product_ids: [] });
    await created(ask, { name: "First", sort_order: -1, product_ids: [] });
    await created(ask, { name: "Middle", product_ids: [] });
    await created(merchant(await givenNeighbour(shop)), { name: "Other", product_ids: [] });
    const first = await ask("GET", "/collections?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ name: "First" }, { name: "Middle" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(at(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `/collections?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({ items: [{ name: "Last" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});
