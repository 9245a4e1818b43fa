import { describe, expect, it } from "vitest";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  type ApiClient,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";

const createShop = async () => {
  const shop = await createBusiness();
  return { shop, ask: merchant(shop) };
};

async function postCategory(ask: ApiClient, body: Record<string, unknown>): Promise<string> {
  const response = await ask("POST", "/categories", { body });
  expect(response.status, JSON.stringify(response.body)).toBe(201);
  return String(valueAt(response, "data.id"));
}

describe("POST /v1/businesses/{business_id}/categories", () => {
  it("creates a category with a slug made from its name", async () => {
    const { shop, ask } = await createShop();
    const parent = await postCategory(ask, { name: "Drinks" });
    const fields = {
      name: "Hot",
      description: "d",
      image_url: "https://cdn.test/a.png",
      sort_order: 3,
      metadata: { a: 1 },
    };
    const response = await ask("POST", "/categories", { body: { ...fields, parent_id: parent } });
    expect(response.status).toBe(201);
    expect(response.body).toEqual(
      success({
        ...fields,
        id: expect.stringMatching(/^cat_/),
        slug: "hot",
        parent_id: parent,
        product_count: 0,
      }),
    );
    expect((await ask("GET", `/categories/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(roundTrips(response).d1).toBe(2);
    expect(await countBusinessRows(shop)).toMatchObject({
      categories: 2,
      version: 2,
      audit_entries: 2,
    });
  });

  it("numbers a generated slug and rejects a requested slug that is taken", async () => {
    const { ask } = await createShop();
    await postCategory(ask, { name: "Drinks" });
    const second = await ask("POST", "/categories", { body: { name: "Drinks" } });
    expect(valueAt(second, "data.slug")).toBe("drinks-2");
    const given = await ask("POST", "/categories", { body: { name: "Other", slug: "drinks" } });
    expect(given.status).toBe(409);
  });

  it.each([
    ["name", { name: "" }],
    ["slug", { slug: "A B" }],
    ["parent_id", { parent_id: "cat_unknown" }],
    ["image_url", { image_url: "nowhere" }],
    ["description", { description: "x".repeat(20_001) }],
    ["sort_order", { sort_order: 1.5 }],
    ["metadata", { metadata: "x" }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/categories", { body: { name: "Drinks", ...fields } });
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({
      categories: 0,
      version: 0,
      audit_entries: 0,
    });
  });
});

describe("PATCH /v1/businesses/{business_id}/categories/{category_id}", () => {
  it("changes only the fields that are sent", async () => {
    const { ask } = await createShop();
    const parent = await postCategory(ask, { name: "Drinks" });
    const id = await postCategory(ask, { name: "Hot", parent_id: parent, sort_order: 3 });
    await ask("POST", "/products", { body: { name: "Tea", default_price: "1", category_id: id } });
    const changed = await ask("PATCH", `/categories/${id}`, {
      body: { name: "Warm", parent_id: null },
    });
    expect(changed.body).toMatchObject(
      success({ id, name: "Warm", slug: "hot", parent_id: null, sort_order: 3, product_count: 1 }),
    );
    expect(roundTrips(changed).d1).toBe(2);
    expect((await ask("GET", `/categories/${id}`)).body).toEqual(changed.body);
  });

  it("rejects the category itself and its descendants as parent and stores nothing", async () => {
    const { shop, ask } = await createShop();
    const top = await postCategory(ask, { name: "Top" });
    const middle = await postCategory(ask, { name: "Middle", parent_id: top });
    const bottom = await postCategory(ask, { name: "Bottom", parent_id: middle });
    const before = await countBusinessRows(shop);
    for (const parent_id of [top, middle, bottom]) {
      const response = await ask("PATCH", `/categories/${top}`, {
        body: { parent_id, name: "Changed" },
      });
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject(
        refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "CATEGORY_CYCLE" } }),
      );
    }
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/categories/${top}`)).body).toMatchObject(
      success({ name: "Top", parent_id: null }),
    );
    const allowed = await ask("PATCH", `/categories/${bottom}`, { body: { parent_id: top } });
    expect(allowed.status).toBe(200);
  });

  it("does not let two concurrent moves make a cycle", async () => {
    const { ask } = await createShop();
    const [a, b] = [await postCategory(ask, { name: "A" }), await postCategory(ask, { name: "B" })];
    const responses = await Promise.all([
      ask("PATCH", `/categories/${a}`, { body: { parent_id: b } }),
      ask("PATCH", `/categories/${b}`, { body: { parent_id: a } }),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe("DELETE /v1/businesses/{business_id}/categories/{category_id}", () => {
  it("archives a category and moves its content up to its parent; a repeat changes nothing", async () => {
    const { shop, ask } = await createShop();
    const top = await postCategory(ask, { name: "Top" });
    const middle = await postCategory(ask, { name: "Middle", parent_id: top });
    const bottom = await postCategory(ask, { name: "Bottom", parent_id: middle });
    const product = await ask("POST", "/products", {
      body: { name: "Tea", default_price: "1", category_id: middle },
    });
    const archived = await ask("DELETE", `/categories/${middle}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(success({ id: middle, product_count: 0 }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/categories/${middle}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/categories/${middle}`)).status).toBe(404);
    expect((await ask("PATCH", `/categories/${middle}`, { body: { name: "Back" } })).status).toBe(
      404,
    );
    expect((await ask("GET", `/categories/${bottom}`)).body).toMatchObject(
      success({ parent_id: top }),
    );
    const read = await ask("GET", `/products/${valueAt(product, "data.id")}`);
    expect(valueAt(read, "data.category.id")).toBe(top);
    expect((await listAuditActions(shop)).at(-1)).toBe("category.archived");
  });
});

describe("a category of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask } = await createShop();
    const id = await postCategory(ask, { name: "Drinks" });
    const other = await createBusinessOnSameShard(shop);
    const response = await merchant(other)(
      method,
      `/categories/${id}`,
      method === "PATCH" ? { body: { name: "Mine" } } : {},
    );
    expect(response.status).toBe(404);
    expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect((await ask("GET", `/categories/${id}`)).body).toMatchObject(success({ name: "Drinks" }));
  });
});

describe("GET /v1/businesses/{business_id}/categories", () => {
  it("lists categories in the order of display with their number of active products", async () => {
    const { ask } = await createShop();
    const last = await postCategory(ask, { name: "Last", sort_order: 9 });
    await postCategory(ask, { name: "First", sort_order: -1 });
    await postCategory(ask, { name: "Middle" });
    for (const is_active of [true, false]) {
      await ask("POST", "/products", {
        body: { name: "Tea", default_price: "1", category_id: last, is_active },
      });
    }
    const first = await ask("GET", "/categories?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ name: "First" }, { name: "Middle" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `/categories?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({
        items: [{ name: "Last", product_count: 1 }],
        pagination: { next_cursor: null, has_more: false },
      }),
    );
  });
});
