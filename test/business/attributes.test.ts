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
import { createShop } from "./create-product.ts";

async function postAttribute(
  ask: ApiClient,
  path: string,
  body: Record<string, unknown>,
): Promise<string> {
  const response = await ask("POST", path, { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return String(valueAt(response, "data.id"));
}

async function createShopWithCategory() {
  const { shop, ask } = await createShop();
  return { shop, ask, category_id: await postAttribute(ask, "/categories", { name: "Shirts" }) };
}

const colour = { key: "colour", label: "Colour", type: "select", values: ["red", "blue"] };

describe("POST /v1/businesses/{business_id}/attributes", () => {
  it("creates an attribute of a category", async () => {
    const { shop, ask, category_id } = await createShopWithCategory();
    const body = { ...colour, unit: "shade", is_filterable: true, category_id };
    const response = await ask("POST", "/attributes", { body });
    expect(response.status).toBe(201);
    expect(response.body).toEqual(
      success({ ...body, id: expect.stringMatching(/^attr_/), collection_id: null }),
    );
    expect((await ask("GET", `/attributes/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(roundTrips(response).d1).toBe(2);
    expect(await countBusinessRows(shop)).toMatchObject({ attributes: 1, version: 2 });
    expect((await listAuditActions(shop)).at(-1)).toBe("attribute.created");
  });

  it("creates an attribute of a collection with default values", async () => {
    const { ask } = await createShop();
    const collection_id = await postAttribute(ask, "/collections", {
      name: "New",
      product_ids: [],
    });
    const body = { key: "fit", label: "Fit", type: "text", collection_id };
    const response = await ask("POST", "/attributes", { body });
    expect(response.body).toMatchObject(
      success({ ...body, category_id: null, values: [], unit: null, is_filterable: false }),
    );
  });

  it("rejects a key that the owner already has with 409, until it is archived", async () => {
    const { ask, category_id } = await createShopWithCategory();
    const id = await postAttribute(ask, "/attributes", { ...colour, category_id });
    const again = () => ask("POST", "/attributes", { body: { ...colour, category_id } });
    expect((await again()).status).toBe(409);
    const other = await postAttribute(ask, "/categories", { name: "Trousers" });
    await postAttribute(ask, "/attributes", { ...colour, category_id: other });
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
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask, category_id } = await createShopWithCategory();
    const before = await countBusinessRows(shop);
    const response = await ask("POST", "/attributes", {
      body: { ...colour, category_id, ...fields },
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("rejects another business's category and a key without the scope", async () => {
    const { shop, ask, category_id } = await createShopWithCategory();
    const other = merchant(await createBusinessOnSameShard(shop));
    const foreign = await other("POST", "/attributes", { body: { ...colour, category_id } });
    expect(valueAt(foreign, "error.context.field")).toBe("category_id");
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    const body = { ...colour, category_id };
    expect((await ask("POST", "/attributes", { body, headers })).status).toBe(403);
    expect((await ask("GET", "/attributes", { headers })).status).toBe(200);
    expect(await countBusinessRows(shop)).toMatchObject({ attributes: 0 });
  });
});

describe("PATCH /v1/businesses/{business_id}/attributes/{attribute_id}", () => {
  it("changes the fields that are sent; an attribute that is no longer a select loses its values", async () => {
    const { ask, category_id } = await createShopWithCategory();
    const id = await postAttribute(ask, "/attributes", { ...colour, category_id });
    const renamed = await ask("PATCH", `/attributes/${id}`, { body: { label: "Shade" } });
    expect(renamed.body).toMatchObject(success({ ...colour, label: "Shade", category_id }));
    expect(roundTrips(renamed).d1).toBe(2);
    const retyped = await ask("PATCH", `/attributes/${id}`, { body: { type: "text" } });
    expect(retyped.body).toMatchObject(success({ type: "text", values: [] }));
    const collection_id = await postAttribute(ask, "/collections", {
      name: "New",
      product_ids: [],
    });
    const moved = await ask("PATCH", `/attributes/${id}`, { body: { collection_id } });
    expect(moved.body).toMatchObject(success({ collection_id, category_id: null }));
    expect((await ask("GET", `/attributes/${id}`)).body).toEqual(moved.body);
  });

  it("rejects an invalid result and stores nothing", async () => {
    const { shop, ask, category_id } = await createShopWithCategory();
    await postAttribute(ask, "/attributes", { ...colour, key: "taken", category_id });
    const id = await postAttribute(ask, "/attributes", { ...colour, category_id });
    const before = await countBusinessRows(shop);
    const patch = (body: object) => ask("PATCH", `/attributes/${id}`, { body });
    expect(valueAt(await patch({ values: [] }), "error.context.field")).toBe("values");
    expect(valueAt(await patch({ category_id: "cat_x" }), "error.context.field")).toBe(
      "category_id",
    );
    expect((await patch({ key: "taken" })).status).toBe(409);
    expect(await countBusinessRows(shop)).toEqual(before);
  });
});

describe("DELETE /v1/businesses/{business_id}/attributes/{attribute_id}", () => {
  it("archives an attribute; a repeat changes nothing", async () => {
    const { shop, ask, category_id } = await createShopWithCategory();
    const id = await postAttribute(ask, "/attributes", { ...colour, category_id });
    const archived = await ask("DELETE", `/attributes/${id}`);
    expect(archived.body).toMatchObject(success({ id, ...colour }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/attributes/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/attributes/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/attributes/${id}`, { body: {} })).status).toBe(404);
  });
});

describe("an attribute of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask, category_id } = await createShopWithCategory();
    const id = await postAttribute(ask, "/attributes", { ...colour, category_id });
    const other = await createBusinessOnSameShard(shop);
    const body = method === "PATCH" ? { body: { label: "Mine" } } : {};
    expect((await merchant(other)(method, `/attributes/${id}`, body)).status).toBe(404);
    expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect(valueAt(await ask("GET", `/attributes/${id}`), "data.label")).toBe("Colour");
  });
});

describe("GET /v1/businesses/{business_id}/attributes", () => {
  it("pages in the order of creation", async () => {
    const { ask, category_id } = await createShopWithCategory();
    for (const key of ["a", "b", "c"]) {
      await postAttribute(ask, "/attributes", { ...colour, key, category_id });
    }
    const first = await ask("GET", "/attributes?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ key: "a" }, { key: "b" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    expect((await ask("GET", `/attributes?limit=2&cursor=${cursor}`)).body).toMatchObject(
      success({ items: [{ key: "c" }], pagination: { next_cursor: null, has_more: false } }),
    );
  });
});
