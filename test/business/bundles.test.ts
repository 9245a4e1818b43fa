import { describe, expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { createBusinessOnSameShard, merchant, roundTrips } from "../support/world.ts";
import { createTeaSet } from "./create-tea-set.ts";

describe("POST /v1/businesses/{business_id}/bundles", () => {
  it("creates a bundle and its product in one commit", async () => {
    const { shop, ask, components, tea } = await createTeaSet();
    const before = await countBusinessRows(shop);
    const response = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, pricing: { type: "fixed", value: "15" } },
    });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    expect(response.body).toMatchObject(
      success({
        id: expect.stringMatching(/^bun_/),
        product_id: expect.stringMatching(/^prod_/),
        product_type: "bundle",
        slug: "tea-set",
        default_price: "15.00",
        pricing: { type: "fixed", value: "15.00" },
        components: [
          { name: "The cup", quantity: 2, is_swappable: false, default_variant_id: null },
          {
            name: "The tea",
            quantity: 1,
            is_swappable: true,
            default_variant_id: tea.variants[0]?.id,
          },
        ],
      }),
    );
    expect(roundTrips(response).d1).toBeLessThanOrEqual(3); // with the key's own look-up
    expect((await ask("GET", `/bundles/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(await countBusinessRows(shop)).toEqual({
      ...before,
      products: Number(before.products) + 1,
      bundles: 1,
      audit_entries: Number(before.audit_entries) + 1,
      version: Number(before.version) + 1,
    });
    expect((await listAuditActions(shop)).at(-1)).toBe("bundle.created");
    const product = await ask("GET", `/products/${valueAt(response, "data.product_id")}`);
    expect(product.body).toMatchObject(
      success({
        ...{ product_type: "bundle", default_price: "15.00", composite_id: null },
        bundle_id: valueAt(response, "data.id"),
      }),
    );
  });

  it.each([
    [{ type: "percent_off", value: "10" }, "16.20"],
    [{ type: "amount_off", value: "3" }, "15.00"],
    [{ type: "amount_off", value: "99" }, "0.00"],
  ])("shows the computed price with %j", async (pricing, price) => {
    const { ask, components } = await createTeaSet();
    const response = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, pricing },
    });
    expect(response.body).toMatchObject(success({ default_price: price }));
    const parts = components.map(({ default_variant_id: _, ...component }) => component);
    const changed = await ask("PATCH", `/bundles/${valueAt(response, "data.id")}`, {
      body: { components: parts.slice(1), pricing: { type: "amount_off", value: "1" } },
    });
    expect(changed.body).toMatchObject(success({ default_price: "11.00" }));
  });

  it.each([
    ["components", { components: undefined }],
    ["components", { components: [] }],
    ["components.0.product_id", { components: [{ name: "A", product_id: "prod_unknown" }] }],
    ["components.0.name", { components: [{ product_id: "prod_unknown" }] }],
    ["components.0.quantity", { components: [{ name: "A", product_id: "p", quantity: 0 }] }],
    ["pricing.type", { pricing: { type: "free" } }],
    ["pricing.value", { pricing: { type: "fixed" } }],
    ["pricing.value", { pricing: { type: "fixed", value: "1" }, default_price: "2" }],
    ["pricing.value", { pricing: { type: "percent_off", value: "101" } }],
    ["pricing.value", { pricing: { type: "amount_off", value: "-1" } }],
    ["default_price", { pricing: { type: "fixed", value: "-1" } }],
    ["name", { name: "" }],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask, components } = await createTeaSet();
    const before = await countBusinessRows(shop);
    const response = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, ...fields },
    });
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toEqual(before);
  });

  it("rejects as component another business's product, an archived product, a bundle and another product's variant", async () => {
    const { shop, ask, components, cup, tea } = await createTeaSet();
    const pricing = { type: "fixed", value: "1" };
    const bundle = await ask("POST", "/bundles", { body: { name: "Set", components, pricing } });
    const foreign = await createProduct(await createBusinessOnSameShard(shop));
    const gone = await ask("POST", "/products", { body: { name: "Gone", default_price: "1" } });
    await ask("DELETE", `/products/${valueAt(gone, "data.id")}`);
    for (const product_id of [
      foreign.id,
      valueAt(gone, "data.id"),
      valueAt(bundle, "data.product_id"),
    ]) {
      const response = await ask("POST", "/bundles", {
        body: { name: "Set", pricing, components: [{ name: "A", product_id }] },
      });
      expect(response.body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "components.0.product_id" } }),
      );
    }
    const wrong = { name: "A", product_id: cup.id, default_variant_id: tea.variants[0]?.id };
    const response = await ask("POST", "/bundles", {
      body: { name: "Set", pricing, components: [wrong] },
    });
    expect(response.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "components.0.default_variant_id" } }),
    );
  });
});

describe("PATCH, DELETE and GET of bundles", () => {
  it("changes product and definition together and keeps the ids of components that stay", async () => {
    const { shop, ask, components, cup } = await createTeaSet();
    const created = await ask("POST", "/bundles", {
      body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
    });
    const id = String(valueAt(created, "data.id"));
    const changed = await ask("PATCH", `/bundles/${id}`, {
      body: {
        description: "New",
        components: [{ name: "Two cups", product_id: cup.id, quantity: 2 }],
      },
    });
    expect(changed.body).toMatchObject(
      success({
        name: "Set",
        description: "New",
        default_price: "9.00",
        components: [
          { name: "Two cups", component_id: valueAt(created, "data.components.0.component_id") },
        ],
      }),
    );
    expect(roundTrips(changed).d1).toBeLessThanOrEqual(2);
    expect((await ask("GET", `/bundles/${id}`)).body).toEqual(changed.body);
    const before = await countBusinessRows(shop);
    const refused = await ask("PATCH", `/bundles/${id}`, {
      body: { name: "No", components: [{ name: "A", product_id: "prod_x" }] },
    });
    expect(refused.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "components.0.product_id" } }),
    );
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", "/bundles")).body).toMatchObject(
      success({ items: [{ id, name: "Set" }] }),
    );
  });

  it("archives the bundle and its product; a repeat changes nothing", async () => {
    const { shop, ask, components } = await createTeaSet();
    const created = await ask("POST", "/bundles", {
      body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
    });
    const id = String(valueAt(created, "data.id"));
    const archived = await ask("DELETE", `/bundles/${id}`);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/bundles/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/bundles/${id}`)).status).toBe(404);
    expect((await ask("GET", `/products/${valueAt(created, "data.product_id")}`)).status).toBe(404);
    expect((await ask("GET", "/bundles")).body).toMatchObject(success({ items: [] }));
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "finds no bundle of another business by %s",
    async (method) => {
      const { shop, ask, components } = await createTeaSet();
      const created = await ask("POST", "/bundles", {
        body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
      });
      const other = await createBusinessOnSameShard(shop);
      const response = await merchant(other)(
        method,
        `/bundles/${valueAt(created, "data.id")}`,
        method === "PATCH" ? { body: { name: "Mine" } } : {},
      );
      expect(response.status).toBe(404);
      expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0 });
    },
  );
});
