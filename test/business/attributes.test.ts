import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";
import { shopAndAsk } from "./given-product.ts";

type Ask = ReturnType<typeof merchant>;

async function created(ask: Ask, path: string, body: Record<string, unknown>): Promise<string> {
  const answer = await ask("POST", path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(at(answer, "data.id"));
}

async function shopWithCategory() {
  const { shop, ask } = await shopAndAsk();
  return { shop, ask, category_id: await created(ask, "/categories", { name: "Shirts" }) };
}

const colour = { key: "colour", label: "Colour", type: "select", values: ["red", "blue"] };

describe("POST /v1/businesses/{business_id}/attributes", () => {
  it("describes a category's products", async () => {
    const { shop, ask, category_id } = await shopWithCategory();
    const body = { ...colour, unit: "shade", is_filterable: true, category_id };
    const answer = await ask("POST", "/attributes", { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(
      success({ ...body, id: expect.stringMatching(/^attr_/), collection_id: null }),
    );
    expect((await ask("GET", `/attributes/${at(answer, "data.id")}`)).body).toEqual(answer.body);
    expect(roundTrips(answer).d1).toBe(2);
    expect(await tracesOf(shop)).toMatchObject({ attributes: 1, version: 2 });
    expect((await auditedActions(shop)).at(-1)).toBe("attribute.created");
  });

  it("describes a collection's products, with what was left out", async () => {
    const { ask } = await shopAndAsk();
    const collection_id = await created(ask, "/collections", { name: "New", product_ids: [] });
    const body = { key: "fit", label: "Fit", type: "text", collection_id };
    const answer = await ask("POST", "/attributes", { body });
    expect(answer.body).toMatchObject(
      success({ ...body, category_id: null, values: [], unit: null, is_filterable: false }),
    );
  });

  it("refuses a key that the same owner has, with 409, until it is archived", async () => {
    const { ask, category_id } = await shopWithCategory();
    const id = await created(ask, "/attributes", { ...colour, category_id });
    const again = () => ask("POST", "/attributes", { body: { ...colour, category_id } });
    expect((await again()).status).toBe(409);
    const other = await created(ask, "/categories", { name: "Trousers" });
    await created(ask, "/attributes", { ...colour, category_id: other });
    await ask("DELETE", `/attributes/${id}`);
    expect((await again()).status).toBe(201);
  });

  it.each([
    ["key", { key: 'a"b' }],
    ["key", { key: undefined }],
    ["label", { label: " " }],
    ["type", { type: "colour" }],
    ["values", { values: [] }],
    ["values", { type: "text" }],
    ["values.0", { values: [""] }],
    ["unit", { unit: "" }],
    ["is_filterable", { is_filterable: "yes" }],
    ["category_id", { category_id: undefined }],
    ["category_id", { category_id: "cat_unknown" }],
    ["collection_id", { collection_id: "col_1" }],
    ["collection_id", { category_id: undefined, collection_id: "col_unknown" }],
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask, category_id } = await shopWithCategory();
    const before = await tracesOf(shop);
    const answer = await ask("POST", "/attributes", {
      body: { ...colour, category_id, ...fields },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toEqual(before);
  });

  it("refuses another business's category, and a key without the scope", async () => {
    const { shop, ask, category_id } = await shopWithCategory();
    const other = merchant(await givenNeighbour(shop));
    const foreign = await other("POST", "/attributes", { body: { ...colour, category_id } });
    expect(at(foreign, "error.context.field")).toBe("category_id");
    const headers = { "X-API-Key": await givenKey(shop, { scopes: ["catalogue:read"] }) };
    const body = { ...colour, category_id };
    expect((await ask("POST", "/attributes", { body, headers })).status).toBe(403);
    expect((await ask("GET", "/attributes", { headers })).status).toBe(200);
    expect(await tracesOf(shop)).toMatchObject({ attributes: 0 });
  });
});

describe("PATCH /v1/businesses/{business_id}/attributes/{attribute_id}", () => {
  it("changes what is sent; what is no select any more loses its values", async () => {
    const { ask, category_id } = await shopWithCategory();
    const id = await created(ask, "/attributes", { ...colour, category_id });
    const renamed = await ask("PATCH", `/attributes/${id}`, { body: { label: "Shade" } });
    expect(renamed.body).toMatchObject(success({ ...colour, label: "Shade", category_id }));
    expect(roundTrips(renamed).d1).toBe(2);
    const retyped = await ask("PATCH", `/attributes/${id}`, { body: { type: "text" } });
    expect(retyped.body).toMatchObject(success({ type: "text", values: [] }));
    const collection_id = await created(ask, "/collections", { name: "New", product_ids: [] });
    const moved = await ask("PATCH", `/attributes/${id}`, { body: { collection_id } });
    expect(moved.body).toMatchObject(success({ collection_id, category_id: null }));
    expect((await ask("GET", `/attributes/${id}`)).body).toEqual(moved.body);
  });

  it("refuses what would not stand, and leaves no trace", async () => {
    const { shop, ask, category_id } = await shopWithCategory();
    await created(ask, "/attributes", { ...colour, key: "taken", category_id });
    const id = await created(ask, "/attributes", { ...colour, category_id });
    const before = await tracesOf(shop);
    const patch = (body: object) => ask("PATCH", `/attributes/${id}`, { body });
    expect(at(await patch({ values: [] }), "error.context.field")).toBe("values");
    expect(at(await patch({ category_id: "cat_x" }), "error.context.field")).toBe("category_id");
    expect((await patch({ key: "taken" })).status).toBe(409);
    expect(await tracesOf(shop)).toEqual(before);
  });
});

describe("DELETE /v1/businesses/{business_id}/attributes/{attribute_id}", () => {
  it("archives once", async () => {
    const { shop, ask, category_id } = await shopWithCategory();
    const id = await created(ask, "/attributes", { ...colour, category_id });
    const archived = await ask("DELETE", `/attributes/${id}`);
    expect(archived.body).toMatchObject(success({ id, ...colour }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/attributes/${id}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/attributes/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/attributes/${id}`, { body: {} })).status).toBe(404);
  });
});

describe("an attribute of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask, category_id } = await shopWithCategory();
    const id = await created(ask, "/attributes", { ...colour, category_id });
    const other = await givenNeighbour(shop);
    const body = method === "PATCH" ? { body: { label: "Mine" } } : {};
    expect((await merchant(other)(method, `/attributes/${id}`, body)).status).toBe(404);
    expect(await tracesOf(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect(at(await ask("GET", `/attributes/${id}`), "data.label")).toBe("Colour");
  });
});

describe("GET /v1/businesses/{business_id}/attributes", () => {
  it("pages in the order of creation", async () => {
    const { ask, category_id } = await shopWithCategory();
    for (const key of ["a", "b", "c"]) {
      await created(ask, "/attributes", { ...colour, key, category_id });
    }
    const first = await ask("GET", "/attributes?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ key: "a" }, { key: "b" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(at(first, "data.pagination.next_cursor")));
    expect((await ask("GET", `/attributes?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({ items: [{ key: "c" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});
