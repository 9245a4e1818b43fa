import { describe, expect, it } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { givenBusiness, merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";

const tea = {
  name: "Thé noir",
  description: "Black tea",
  default_price: "12.50",
  inventory_type: "variant_level",
  featured: true,
  tags: ["hot", "black", "hot"],
  properties: { origin: "Ceylon", caffeine: true },
  taxonomy_id: "food-1",
  images: [{ url: "https://cdn.test/a.png" }, { url: "https://cdn.test/b.png", is_primary: true }],
  variant_axes: [{ name: "size", label: "Size", values: ["S", "L"] }],
  variants: [
    { name: "Small", sku: "T-S", axis_values: { size: "S" } },
    {
      name: "Large",
      sku: "T-L",
      axis_values: { size: "L" },
      price_adjustment: "-1.25",
      is_default: true,
    },
  ],
  add_ons: [
    {
      name: "Milk",
      selection_type: "single",
      is_required: true,
      options: [{ name: "Oat", price: "0.50" }],
    },
  ],
};

type Ask = ReturnType<typeof merchant>;

const shopAndAsk = async () => {
  const shop = await givenBusiness();
  return { shop, ask: merchant(shop) };
};

async function created(ask: Ask, body: Record<string, unknown> = tea) {
  const answer = await ask("POST", "/products", { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return { answer, id: String(at(answer, "data.id")) };
}

describe("POST /v1/businesses/{business_id}/products", () => {
  it("puts a product in with everything, a slug made from its name", async () => {
    const { shop, ask } = await shopAndAsk();
    const { answer } = await created(ask);
    expect(answer.body).toMatchObject(
      success({
        id: expect.stringMatching(/^prod_/),
        slug: "the-noir",
        default_price: "12.50",
        currency: "GHS",
        product_type: "product",
        inventory_type: "variant_level",
        image_url: "https://cdn.test/b.png",
        is_active: true,
        featured: true,
        tags: ["hot", "black"],
        properties: tea.properties,
        taxonomy_id: "food-1",
        category: null,
        variant_axes: tea.variant_axes,
        variants: [
          {
            id: expect.stringMatching(/^var_/),
            name: "Small",
            sku: "T-S",
            price_adjustment: "0.00",
            is_default: false,
          },
          {
            name: "Large",
            sku: "T-L",
            price_adjustment: "-1.25",
            is_default: true,
            axis_values: { size: "L" },
          },
        ],
        add_ons: [
          {
            id: expect.stringMatching(/^grp_/),
            is_required: true,
            options: [{ id: expect.stringMatching(/^opt_/), price: "0.50" }],
          },
        ],
      }),
    );
    const read = await ask("GET", `/products/${at(answer, "data.id")}`);
    expect(read.body).toEqual(answer.body);
    expect(await tracesOf(shop)).toMatchObject({
      products: 1,
      product_variants: 2,
      product_tags: 2,
      version: 1,
    });
    expect(await auditedActions(shop)).toEqual(["product.created"]);
  });

  it("makes the first variant the default when none is", async () => {
    const { ask } = await shopAndAsk();
    const { answer } = await created(ask, {
      name: "Tea",
      default_price: 3,
      variants: [{ name: "A" }, { name: "B" }],
    });
    expect(answer.body).toMatchObject(
      success({ variants: [{ is_default: true }, { is_default: false }] }),
    );
  });

  it("numbers a slug made from a name that others have, also when they come at once", async () => {
    const { ask } = await shopAndAsk();
    const slugs = await Promise.all(
      [1, 2, 3].map(async () =>
        at((await created(ask, { name: "Tea", default_price: "1" })).answer, "data.slug"),
      ),
    );
    expect(slugs.sort()).toEqual(["tea", "tea-2", "tea-3"]);
  });

  it("refuses a given slug that is taken, with 409, and frees it when its product is archived", async () => {
    const { shop, ask } = await shopAndAsk();
    const body = { name: "Tea", slug: "tea", default_price: "1" };
    const { id } = await created(ask, body);
    const before = await tracesOf(shop);
    const second = await ask("POST", "/products", { body });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject(refusal("CONFLICT", { retryable: false }));
    expect(await tracesOf(shop)).toEqual(before);
    await ask("DELETE", `/products/${id}`);
    await created(ask, body);
  });

  it("names the category, and refuses another business's", async () => {
    const { ask } = await shopAndAsk();
    const category = await ask("POST", "/categories", { body: { name: "Drinks" } });
    const categoryId = at(category, "data.id");
    const { answer } = await created(ask, { ...tea, category_id: categoryId });
    expect(answer.body).toMatchObject(
      success({
        category_id: categoryId,
        category: { id: categoryId, name: "Drinks", slug: "drinks" },
      }),
    );
    const foreign = await merchant(await givenBusiness())("POST", "/products", {
      body: { ...tea, category_id: categoryId },
    });
    expect(foreign.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "category_id" } }),
    );
  });

  it("takes at most two round trips, and the same number of statements for 200 variants", async () => {
    const { shop, ask } = await shopAndAsk();
    await ask("GET", "/products");
    const variants = Array.from({ length: 200 }, (_, n) => ({
      name: `V${n}`,
      axis_values: { n: `${n}` },
    }));
    const variant_axes = [{ name: "n", label: "N", values: variants.map((_, n) => `${n}`) }];
    const { answer, id } = await created(ask, {
      name: "Many",
      default_price: "1",
      variant_axes,
      variants,
    });
    expect(roundTrips(answer).d1).toBe(2);
    const patched = await ask("PATCH", `/products/${id}`, { body: { variants } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(roundTrips(patched).d1).toBe(2);
    expect(await tracesOf(shop)).toMatchObject({ product_variants: 200 });
  });

  const two = (first: object, second: object) => ({
    variants: [
      { name: "A", ...first },
      { name: "B", ...second },
    ],
  });
  const axes = { variant_axes: tea.variant_axes };

  it.each([
    ["name", { name: " " }],
    ["name", { name: "x".repeat(201) }],
    ["name", { name: "bell\u0007" }],
    ["slug", { slug: "Not a slug" }],
    ["description", { description: "x".repeat(20_001) }],
    ["category_id", { category_id: "cat_unknown" }],
    ["default_price", { default_price: undefined }],
    ["default_price", { default_price: "-1" }],
    ["default_price", { default_price: "1.234" }],
    ["default_price", { default_price: "a lot" }],
    ["product_type", { product_type: "gadget" }],
    ["inventory_type", { inventory_type: "sometimes" }],
    ["is_active", { is_active: "yes" }],
    ["featured", { featured: 1 }],
    ["tags.0", { tags: ["a,b"] }],
    ["tags.0", { tags: ["x".repeat(65)] }],
    ["tags", { tags: Array.from({ length: 101 }, (_, n) => `t${n}`) }],
    ["properties", { properties: [] }],
    ["taxonomy_id", { taxonomy_id: "" }],
    ["images.0.url", { images: [{ url: "javascript:alert(1)" }] }],
    ["variant_axes.0.values", { variant_axes: [{ name: "size", label: "Size", values: [] }] }],
    [
      "variant_axes.0.values",
      { variant_axes: [{ name: "size", label: "Size", values: ["S", "S"] }] },
    ],
    ["variant_axes.1.name", { variant_axes: [...tea.variant_axes, ...tea.variant_axes] }],
    ["variants", { variants: Array.from({ length: 201 }, (_, n) => ({ name: `V${n}` })) }],
    ["variants.0.name", { variants: [{}] }],
    ["variants.0.sku", { variants: [{ name: "A", sku: "x".repeat(101) }] }],
    ["variants.1.price_adjustment", two({}, { price_adjustment: "0.001" })],
    ["variants.1.is_default", two({ is_default: true }, { is_default: true })],
    [
      "variants.0.axis_values.colour",
      { variants: [{ name: "A", axis_values: { colour: "red" } }] },
    ],
    ["variants.0.axis_values.size", { ...axes, variants: [{ name: "A" }] }],
    [
      "variants.0.axis_values.size",
      { ...axes, variants: [{ name: "A", axis_values: { size: "XL" } }] },
    ],
    [
      "variants.1.axis_values",
      { ...axes, ...two({ axis_values: { size: "S" } }, { axis_values: { size: "S" } }) },
    ],
    ["variants.0.duration_minutes", { variants: [{ name: "A", duration_minutes: 0 }] }],
    ["variants.0.buffer_minutes", { variants: [{ name: "A", buffer_minutes: -1 }] }],
    ["variants.0.capacity", { variants: [{ name: "A", capacity: 0 }] }],
    ["add_ons.0.name", { add_ons: [{ options: [{ name: "A" }] }] }],
    [
      "add_ons.0.selection_type",
      { add_ons: [{ name: "A", selection_type: "some", options: [{ name: "A" }] }] },
    ],
    ["add_ons.0.options", { add_ons: [{ name: "A", options: [] }] }],
    [
      "add_ons.0.options.0.price",
      { add_ons: [{ name: "A", options: [{ name: "A", price: "-1" }] }] },
    ],
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask } = await shopAndAsk();
    const answer = await ask("POST", "/products", {
      body: { name: "Tea", default_price: "1", ...fields },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toMatchObject({
      products: 0,
      product_variants: 0,
      audit_entries: 0,
      version: 0,
    });
  });

  it("refuses a key without the scope", async () => {
    const { shop, ask } = await shopAndAsk();
    const readOnly = { "X-API-Key": await givenKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("POST", "/products", { body: tea, headers: readOnly })).status).toBe(403);
    expect((await ask("GET", "/products", { headers: readOnly })).status).toBe(200);
  });
});

describe("PATCH /v1/businesses/{business_id}/products/{product_id}", () => {
  it("changes what is sent and nothing else", async () => {
    const { shop, ask } = await shopAndAsk();
    const { answer, id } = await created(ask);
    const changed = await ask("PATCH", `/products/${id}`, {
      body: { name: "Green tea", default_price: "9", tags: ["green"] },
    });
    expect(changed.status).toBe(200);
    const before = answer.body as { data: object };
    expect(changed.body).toEqual(
      success({ ...before.data, name: "Green tea", default_price: "9.00", tags: ["green"] }),
    );
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
    expect(await auditedActions(shop)).toEqual(["product.created", "product.updated"]);
    expect(await rowsOf(shop, "select tag from product_tags where product_id = ?", id)).toEqual([
      { tag: "green" },
    ]);
    expect(await tracesOf(shop)).toMatchObject({ version: 2 });
  });

  it("keeps the ids of variants that match by id, axis values, sku or name, and archives the others", async () => {
    const { shop, ask } = await shopAndAsk();
    const { answer, id } = await created(ask, {
      name: "Tea",
      default_price: "1",
      variant_axes: [{ name: "size", label: "Size", values: ["S", "M", "L", "XL"] }],
      variants: [
        { name: "Small", axis_values: { size: "S" } },
        { name: "Medium", sku: "M-1", axis_values: { size: "M" } },
        { name: "Large", axis_values: { size: "L" } },
        { name: "Gone", axis_values: { size: "XL" } },
      ],
    });
    const old = [0, 1, 2].map((index) => at(answer, `data.variants.${index}.id`));
    const changed = await ask("PATCH", `/products/${id}`, {
      body: {
        variant_axes: [{ name: "size", label: "Size", values: ["S", "m", "l"] }],
        variants: [
          { name: "Large", axis_values: { size: "l" }, is_default: true },
          { name: "Middle", sku: "M-1", axis_values: { size: "m" } },
          { name: "Tiny", axis_values: { size: "S" } },
        ],
      },
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect([2, 1, 0].map((index) => at(changed, `data.variants.${index}.id`))).toEqual(old);
    expect(at(changed, "data.variants.0.is_default")).toBe(true);
    const byId = await ask("PATCH", `/products/${id}`, {
      body: { variant_axes: [], variants: [{ id: old[0], name: "Other" }] },
    });
    expect(byId.body).toMatchObject(
      success({ variants: [{ id: old[0], name: "Other", is_default: true }] }),
    );
    expect((await ask("GET", `/products/${id}`)).body).toEqual(byId.body);
    const live = await rowsOf(
      shop,
      "select name from product_variants where product_id = ? and archived_at is null",
      id,
    );
    expect(live).toEqual([{ name: "Other" }]);
  });

  it("keeps the ids of add-on groups and options by name", async () => {
    const { ask } = await shopAndAsk();
    const { answer, id } = await created(ask);
    const changed = await ask("PATCH", `/products/${id}`, {
      body: {
        add_ons: [
          { name: "Sugar", options: [{ name: "One" }] },
          { ...tea.add_ons[0], options: [{ name: "Soy" }, { name: "Oat", price: "1" }] },
        ],
      },
    });
    expect(at(changed, "data.add_ons.1.id")).toBe(at(answer, "data.add_ons.0.id"));
    expect(at(changed, "data.add_ons.1.options.1.id")).toBe(
      at(answer, "data.add_ons.0.options.0.id"),
    );
    expect(at(changed, "data.add_ons.1.options.1.price")).toBe("1.00");
  });

  it.each([
    ["variants.0.id", { variants: [{ id: "var_unknown", name: "A", axis_values: { size: "S" } }] }],
    [
      "variants.0.axis_values.size",
      { variant_axes: [{ name: "size", label: "Size", values: ["XXL"] }] },
    ],
    ["product_type", { product_type: "service" }],
    ["default_price", { default_price: "-1" }],
    ["category_id", { category_id: "cat_unknown" }],
  ])("refuses a bad %s by name and leaves no trace", async (field, body) => {
    const { shop, ask } = await shopAndAsk();
    const { answer, id } = await created(ask);
    const before = await tracesOf(shop);
    const refused = await ask("PATCH", `/products/${id}`, { body });
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(answer.body);
  });

  it("loses no field to another change at the same moment", async () => {
    const { ask } = await shopAndAsk();
    const { id } = await created(ask);
    const changes = [{ name: "New" }, { description: "New" }, { default_price: "1" }];
    const answers = await Promise.all(
      changes.map((body) => ask("PATCH", `/products/${id}`, { body })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = await ask("GET", `/products/${id}`);
    expect(read.body).toMatchObject(
      success({ name: "New", description: "New", default_price: "1.00" }),
    );
  });
});

describe("DELETE /v1/businesses/{business_id}/products/{product_id}", () => {
  it("archives once: the record in the answer, then 404 for reads and changes", async () => {
    const { shop, ask } = await shopAndAsk();
    const { id } = await created(ask);
    const archived = await ask("DELETE", `/products/${id}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/products/${id}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/products/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/products/${id}`, { body: { name: "Back" } })).status).toBe(404);
    expect((await ask("GET", "/products")).body).toMatchObject(success({ items: [] }));
    expect(await auditedActions(shop)).toEqual(["product.created", "product.archived"]);
  });
});

describe("a product of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { ask } = await shopAndAsk();
    const { id } = await created(ask);
    const other = await givenBusiness();
    const answer = await merchant(other)(
      method,
      `/products/${id}`,
      method === "PATCH" ? { body: { name: "Mine" } } : {},
    );
    expect(answer.status).toBe(404);
    expect(await tracesOf(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect((await ask("GET", `/products/${id}`)).body).toMatchObject(success({ name: tea.name }));
  });
});

describe("GET /v1/businesses/{business_id}/products", () => {
  it("pages through active and inactive ones, the newest first, in one round trip", async () => {
    const { ask } = await shopAndAsk();
    for (const [index, name] of ["A", "B", "C", "D", "E"].entries()) {
      await created(ask, { name, default_price: "1", is_active: index % 2 === 0 });
    }
    const names: unknown[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const answer = await ask(
        "GET",
        `/products?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(roundTrips(answer).d1).toBe(1);
      const items = at(answer, "data.items");
      names.push(...(Array.isArray(items) ? items.map(({ name }) => name) : []));
      expect(at(answer, "data.pagination.has_more")).toBe(page < 2);
      cursor = String(at(answer, "data.pagination.next_cursor") ?? "");
    }
    expect(names).toEqual(["E", "D", "C", "B", "A"]);
  });

  it.each(["limit=0", "limit=101", "cursor=%21", "cursor=Zm9v"])("refuses %s", async (query) => {
    const { ask } = await shopAndAsk();
    const answer = await ask("GET", `/products?${query}`);
    expect(answer.status).toBe(400);
    expect(at(answer, "error.context.field")).toBe(query.split("=")[0]);
  });
});
