import { describe, expect, it } from "vitest";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";
import { created, listedTags, shopAndAsk, tea } from "./given-product.ts";

describe("POST /v1/businesses/{business_id}/products", () => {
  it("puts a product in with everything, a slug made from its name", async () => {
    const { shop, ask } = await shopAndAsk();
    const { answer, id } = await created(ask);
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
    const read = await ask("GET", `/products/${id}`);
    expect(read.body).toEqual(answer.body);
    expect(await listedTags(shop, id)).toEqual(["black", "hot"]);
    expect(await tracesOf(shop)).toMatchObject({
      products: 1,
      product_variants: 2,
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
    const { shop, ask } = await shopAndAsk();
    const category = await ask("POST", "/categories", { body: { name: "Drinks" } });
    const categoryId = at(category, "data.id");
    const { answer } = await created(ask, { ...tea, category_id: categoryId });
    expect(answer.body).toMatchObject(
      success({
        category_id: categoryId,
        category: { id: categoryId, name: "Drinks", slug: "drinks" },
      }),
    );
    const foreign = await merchant(await givenNeighbour(shop))("POST", "/products", {
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

  it("refuses a key without the scope", async () => {
    const { shop, ask } = await shopAndAsk();
    const readOnly = { "X-API-Key": await givenKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("POST", "/products", { body: tea, headers: readOnly })).status).toBe(403);
    expect((await ask("GET", "/products", { headers: readOnly })).status).toBe(200);
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
    const { shop, ask } = await shopAndAsk();
    const { id } = await created(ask);
    const other = await givenNeighbour(shop);
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
