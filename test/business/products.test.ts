import { describe, expect, it } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { createBusinessOnSameShard, merchant, roundTrips } from "../support/world.ts";
import { createShop, postProduct, selectTagFacets, teaFields } from "./create-product.ts";

describe("POST /v1/businesses/{business_id}/products", () => {
  it("creates a product with all fields and a slug made from its name", async () => {
    const { shop, ask } = await createShop();
    const { response, id } = await postProduct(ask);
    expect(response.body).toMatchObject(
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
        properties: teaFields.properties,
        taxonomy_id: "food-1",
        category: null,
        variant_axes: teaFields.variant_axes,
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
    expect(read.body).toEqual(response.body);
    expect(await selectTagFacets(shop, id)).toEqual(["black", "hot"]);
    expect(await countBusinessRows(shop)).toMatchObject({
      products: 1,
      product_variants: 2,
      version: 1,
    });
    expect(await listAuditActions(shop)).toEqual(["product.created"]);
  });

  it("makes the first variant the default when none is marked", async () => {
    const { ask } = await createShop();
    const { response } = await postProduct(ask, {
      name: "Tea",
      default_price: 3,
      variants: [{ name: "A" }, { name: "B" }],
    });
    expect(response.body).toMatchObject(
      success({ variants: [{ is_default: true }, { is_default: false }] }),
    );
  });

  it("numbers the slugs of products with the same name, also when they are created concurrently", async () => {
    const { ask } = await createShop();
    const slugs = await Promise.all(
      [1, 2, 3].map(async () =>
        valueAt(
          (await postProduct(ask, { name: "Tea", default_price: "1" })).response,
          "data.slug",
        ),
      ),
    );
    expect(slugs.sort()).toEqual(["tea", "tea-2", "tea-3"]);
  });

  it("rejects a requested slug that is taken with 409, and frees it when its product is archived", async () => {
    const { shop, ask } = await createShop();
    const body = { name: "Tea", slug: "tea", default_price: "1" };
    const { id } = await postProduct(ask, body);
    const before = await countBusinessRows(shop);
    const second = await ask("POST", "/products", { body });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject(refusal("CONFLICT", { retryable: false }));
    expect(await countBusinessRows(shop)).toEqual(before);
    await ask("DELETE", `/products/${id}`);
    await postProduct(ask, body);
  });

  it("returns the category and rejects another business's", async () => {
    const { shop, ask } = await createShop();
    const category = await ask("POST", "/categories", { body: { name: "Drinks" } });
    const categoryId = valueAt(category, "data.id");
    const { response } = await postProduct(ask, { ...teaFields, category_id: categoryId });
    expect(response.body).toMatchObject(
      success({
        category_id: categoryId,
        category: { id: categoryId, name: "Drinks", slug: "drinks" },
      }),
    );
    const foreign = await merchant(await createBusinessOnSameShard(shop))("POST", "/products", {
      body: { ...teaFields, category_id: categoryId },
    });
    expect(foreign.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "category_id" } }),
    );
  });

  it("takes at most two round trips and the same number of statements for 2,500 variants", async () => {
    const { shop, ask } = await createShop();
    await ask("GET", "/products");
    const variants = Array.from({ length: 2_500 }, (_, n) => ({
      name: `V${n}`,
      axis_values: { tens: `${Math.floor(n / 50)}`, units: `${n % 50}` },
    }));
    const values = Array.from({ length: 50 }, (_, n) => `${n}`);
    const variant_axes = ["tens", "units"].map((name) => ({ name, label: name, values }));
    const { response, id } = await postProduct(ask, {
      name: "Many",
      default_price: "1",
      variant_axes,
      variants,
    });
    expect(roundTrips(response).d1).toBe(2);
    const patched = await ask("PATCH", `/products/${id}`, { body: { variants } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(roundTrips(patched).d1).toBe(2);
    expect(await countBusinessRows(shop)).toMatchObject({ product_variants: 2_500 });
  });

  it("rejects a key without the scope", async () => {
    const { shop, ask } = await createShop();
    const readOnly = { "X-API-Key": await createKey(shop, { scopes: ["catalogue:read"] }) };
    expect((await ask("POST", "/products", { body: teaFields, headers: readOnly })).status).toBe(
      403,
    );
    expect((await ask("GET", "/products", { headers: readOnly })).status).toBe(200);
  });
});

describe("DELETE /v1/businesses/{business_id}/products/{product_id}", () => {
  it("archives a product and returns it, then responds 404 to reads and changes", async () => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask);
    const archived = await ask("DELETE", `/products/${id}`);
    expect(archived.status).toBe(200);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/products/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/products/${id}`)).status).toBe(404);
    expect((await ask("PATCH", `/products/${id}`, { body: { name: "Back" } })).status).toBe(404);
    expect((await ask("GET", "/products")).body).toMatchObject(success({ items: [] }));
    expect(await listAuditActions(shop)).toEqual(["product.created", "product.archived"]);
  });
});

describe("a product of another business", () => {
  it.each(["GET", "PATCH", "DELETE"])("is not found by %s", async (method) => {
    const { shop, ask } = await createShop();
    const { id } = await postProduct(ask);
    const other = await createBusinessOnSameShard(shop);
    const response = await merchant(other)(
      method,
      `/products/${id}`,
      method === "PATCH" ? { body: { name: "Mine" } } : {},
    );
    expect(response.status).toBe(404);
    expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0, version: 0 });
    expect((await ask("GET", `/products/${id}`)).body).toMatchObject(
      success({ name: teaFields.name }),
    );
  });
});

describe("GET /v1/businesses/{business_id}/products", () => {
  it("lists active and inactive products, newest first, in one round trip", async () => {
    const { ask } = await createShop();
    for (const [index, name] of ["A", "B", "C", "D", "E"].entries()) {
      await postProduct(ask, { name, default_price: "1", is_active: index % 2 === 0 });
    }
    const names: unknown[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const response = await ask(
        "GET",
        `/products?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      expect(roundTrips(response).d1).toBe(1);
      const items = valueAt(response, "data.items");
      names.push(...(Array.isArray(items) ? items.map(({ name }) => name) : []));
      expect(valueAt(response, "data.pagination.has_more")).toBe(page < 2);
      cursor = String(valueAt(response, "data.pagination.next_cursor") ?? "");
    }
    expect(names).toEqual(["E", "D", "C", "B", "A"]);
  });

  it("filters by search, category and status, in pages", async () => {
    const { ask } = await createShop();
    const drinks = valueAt(
      await ask("POST", "/categories", { body: { name: "Drinks" } }),
      "data.id",
    );
    const hot = valueAt(
      await ask("POST", "/categories", { body: { name: "Hot", parent_id: drinks } }),
      "data.id",
    );
    await postProduct(ask, { ...teaFields, name: "Green tea", category_id: hot });
    await postProduct(ask, { name: "Cola", default_price: "1", category_id: drinks });
    await postProduct(ask, {
      name: "Old tea",
      default_price: "1",
      category_id: drinks,
      is_active: false,
    });
    await postProduct(ask, { name: "Cup", description: "For tea", default_price: "1" });
    const names = async (query: string): Promise<unknown> => {
      const response = await ask("GET", `/products?${query}`);
      expect(response.status, JSON.stringify(response.body)).toBe(200);
      expect(roundTrips(response).d1).toBeLessThanOrEqual(2);
      const items = valueAt(response, "data.items");
      return Array.isArray(items) ? items.map(({ name }) => name) : items;
    };
    expect(await names("search=tea")).toEqual(["Cup", "Old tea", "Green tea"]);
    expect(await names("search=t-s")).toEqual(["Green tea"]);
    expect(await names("search=%25%25")).toEqual([]);
    expect(await names("status=inactive")).toEqual(["Old tea"]);
    expect(await names("status=active")).toEqual(["Cup", "Cola", "Green tea"]);
    expect(await names(`category_id=${drinks}`)).toEqual(["Old tea", "Cola", "Green tea"]);
    expect(await names(`category_id=${hot}`)).toEqual(["Green tea"]);
    expect(await names("category_id=cat_unknown")).toEqual([]);
    expect(await names(`category_id=${drinks}&search=tea&status=active`)).toEqual(["Green tea"]);
    const listed = await ask("GET", "/products");
    const [cup, old] = [0, 1].map((position) => valueAt(listed, `data.items.${position}.id`));
    expect(await names(`ids=${old},prod_unknown,%20${cup},${old}`)).toEqual(["Cup", "Old tea"]);
    expect(await names(`ids=${old},${cup}&status=active`)).toEqual(["Cup"]);
    expect(await names(`ids=${old},${cup}&search=cup`)).toEqual(["Cup"]);
    expect(await names(`ids=${old},${cup}&category_id=${drinks}`)).toEqual(["Old tea"]);
    for (const filter of [`category_id=${drinks}`, "search=tea", "status=active"]) {
      const first = await ask("GET", `/products?${filter}&limit=2`);
      const cursor = encodeURIComponent(String(valueAt(first, "data.pagination.next_cursor")));
      expect(await names(`${filter}&limit=2&cursor=${cursor}`)).toEqual(["Green tea"]);
    }
  });

  it("does not find another business's products", async () => {
    const { shop, ask } = await createShop();
    await postProduct(ask);
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    const id = valueAt(await ask("GET", "/products"), "data.items.0.id");
    for (const query of ["search=noir", "search=T-S", `ids=${id}`]) {
      expect((await neighbour("GET", `/products?${query}`)).body).toMatchObject(
        success({ items: [] }),
      );
    }
  });

  it.each([
    "limit=0",
    "status=archived",
    "search=",
    "ids=",
    `ids=${"p,".repeat(101)}`,
    "limit=101",
    "cursor=%21",
    "cursor=Zm9v",
  ])("rejects %s", async (query) => {
    const { ask } = await createShop();
    const response = await ask("GET", `/products?${query}`);
    expect(response.status).toBe(400);
    expect(valueAt(response, "error.context.field")).toBe(query.split("=")[0]);
  });
});
