import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { at, refusal, success } from "./given.ts";

type Ask = ReturnType<typeof merchant>;

const shopAndAsk = async () => {
  const shop = await givenBusiness();
  return { shop, ask: merchant(shop) };
};

async function created(ask: Ask, body: Record<string, unknown>): Promise<string> {
  const answer = await ask("POST", "/categories", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(at(answer, "data.id"));
}

describe("POST /v1/businesses/{business_id}/categories", () => {
  it("puts a category in, a slug made from its name", async () => {
    const { shop, ask } = await shopAndAsk();
    const parent = await created(ask, { name: "Drinks" });
    const fields = {
      name: "Hot",
      description: "d",
      image_url: "https://cdn.test/a.png",
      sort_order: 3,
      metadata: { a: 1 },
    };
    const answer = await ask("POST", "/categories", { body: { ...fields, parent_id: parent } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual(
      success({
        ...fields,
        id: expect.stringMatching(/^cat_/),
        slug: "hot",
        parent_id: parent,
        product_count: 0,
      }),
    );
    expect((await ask("GET", `/categories/${at(answer, "data.id")}`)).body).toEqual(answer.body);
    expect(roundTrips(answer).d1).toBe(2);
    expect(await tracesOf(shop)).toMatchObject({ categories: 2, version: 2, audit_entries: 2 });
  });

  it("numbers an automatic slug and refuses a given one that is taken", async () => {
    const { ask } = await shopAndAsk();
    await created(ask, { name: "Drinks" });
    const second = await ask("POST", "/categories", { body: { name: "Drinks" } });
    expect(at(second, "data.slug")).toBe("drinks-2");
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
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask } = await shopAndAsk();
    const answer = await ask("POST", "/categories", { body: { name: "Drinks", ...fields } });
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toMatchObject({ categories: 0, version: 0, audit_entries: 0 });
  });
});

describe("PATCH /v1/businesses/{business_id}/categories/{category_id}", () => {
  it("changes what is sent and nothing else", async () => {
    const { ask } = await shopAndAsk();
    const parent = await created(ask, { name: "Drinks" });
    const id = await created(ask, { name: "Hot", parent_id: parent, sort_order: 3 });
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

  it("refuses a parent that is the category itself or stands below it, and leaves no trace", async () => {
    const { shop, ask } = await shopAndAsk();
    const top = await created(ask, { name: "Top" });
    const middle = await created(ask, { name: "Middle", parent_id: top });
    const bottom = await created(ask, { name: "Bottom", parent_id: middle });
    const before = await tracesOf(shop);
    for (const parent_id of [top, middle, bottom]) {
      const answer = await ask("PATCH", `/categories/${top}`, {
        body: { parent_id, name: "Changed" },
      });
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject(
        refusal("BUSINESS_RULE_VIOLATION", { context: { rule: "CATEGORY_CYCLE" } }),
      );
    }
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/categories/${top}`)).body).toMatchObject(
      success({ name: "Top", parent_id: null }),
    );
    const allowed = await ask("PATCH", `/categories/${bottom}`, { body: { parent_id: top } });
    expect(allowed.status).toBe(200);
  });

  it("lets two moves at once close no circle", async () => {
    const { ask } = await shopAndAsk();
    const [a, b] = [await created(ask, { name: "A" }), await created(ask, { name: "B" })];
    const answers = await Promise.all([
      ask("PATCH", `/categories/${a}`, { body: { parent_id: b } }),
      ask("PATCH", `/categories/${b}`, { body: { parent_id: a } }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });
});

describe("DELETE /v1/businesses/{business_id}/categories/{category_id}", () => {
  it("archives once; what is in it moves up to its parent", async () => {
    const { shop, ask } = await shopAndAsk();
    const top = await created(ask, { name: "Top" });
    const middle = await created(ask, { name: "Middle", parent_id: top });
    const bottom = await created(ask, { name: "Bottom", parent_id: middle });
    const product = await ask("POST", "/products", {
      body: { name: "Tea", default_price: "1", category_id: middle },
    });
    const archived = await ask("DELETE", `/categories/${middle}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(success({ id: middle, product_count: 0 }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/categories/${middle}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/categories/${middle}`)).status).toBe(404);
    expect((await ask("PATCH", `/categories/${middle}`, { body: { name: "Back" } })).status).toBe(
      404,
    );
    expect((await ask("GET", `/categories/${bottom}`)).body).toMatchObject(
      success({ parent_id: top }),
    );
    const read = await ask("GET", `/products/${at(product, "data.id")}`);
    expect(at(read, "data.category.id")).toBe(top);
    expect((await auditedActions(shop)).at(-1)).toBe("category.archived");
  });
});

describe("a category of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask } = await shopAndAsk();
    const id = await created(ask, { name: "Drinks" });
    const other = await givenNeighbour(shop);
    const answer = await merchant(other)(
      method,
      `/categories/${id}`,
      method === "PATCH" ? { body: { name: "Mine" } } : {},
    );
    expect(answer.status).toBe(404);
    expect(await tracesOf(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect((await ask("GET", `/categories/${id}`)).body).toMatchObject(success({ name: "Drinks" }));
  });
});

describe("GET /v1/businesses/{business_id}/categories", () => {
  it("pages in the order of display, with the number of active products", async () => {
    const { ask } = await shopAndAsk();
    const last = await created(ask, { name: "Last", sort_order: 9 });
    await created(ask, { name: "First", sort_order: -1 });
    await created(ask, { name: "Middle" });
    for (const is_active of [true, false]) {
      await ask("POST", "/products", {
        body: { name: "Tea", default_price: "1", category_id: last, is_active },
      });
    }
    const first = await ask("GET", "/categories?limit=2");
    expect(first.body).toMatchObject(
      success({ items: [{ name: "First" }, { name: "Middle" }], pagination: { has_more: true } }),
    );
    const cursor = encodeURIComponent(String(at(first, "data.pagination.next_cursor")));
    const second = await ask("GET", `/categories?limit=2&cursor=${cursor}`);
    expect(second.body).toMatchObject(
      success({
        items: [{ name: "Last", product_count: 1 }],
        pagination: { next_cursor: null, has_more: false },
      }),
    );
  });
});
