import { describe, expect, it } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { at, refusal, success } from "./given.ts";
import { givenTeaSet } from "./tea-set.ts";

describe("POST /v1/businesses/{business_id}/bundles", () => {
  it("puts a bundle and its product in, in one commit", async () => {
    const { shop, ask, components, tea } = await givenTeaSet();
    const before = await tracesOf(shop);
    const answer = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, pricing: { type: "fixed", value: "15" } },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(answer.body).toMatchObject(
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
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3); // with the key's own look-up
    expect((await ask("GET", `/bundles/${at(answer, "data.id")}`)).body).toEqual(answer.body);
    expect(await tracesOf(shop)).toEqual({
      ...before,
      products: Number(before.products) + 1,
      bundles: 1,
      audit_entries: Number(before.audit_entries) + 1,
      version: Number(before.version) + 1,
    });
    expect((await auditedActions(shop)).at(-1)).toBe("bundle.created");
    const product = await ask("GET", `/products/${at(answer, "data.product_id")}`);
    expect(product.body).toMatchObject(success({ product_type: "bundle", default_price: "15.00" }));
  });

  it.each([
    [{ type: "percent_off", value: "10" }, "16.20"],
    [{ type: "amount_off", value: "3" }, "15.00"],
    [{ type: "amount_off", value: "99" }, "0.00"],
  ])("shows what the parts come to with %j", async (pricing, price) => {
    const { ask, components } = await givenTeaSet();
    const answer = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, pricing },
    });
    expect(answer.body).toMatchObject(success({ default_price: price }));
    const parts = components.map(({ default_variant_id: _, ...component }) => component);
    const changed = await ask("PATCH", `/bundles/${at(answer, "data.id")}`, {
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
  ])("refuses a bad %s by name and leaves no trace", async (field, fields) => {
    const { shop, ask, components } = await givenTeaSet();
    const before = await tracesOf(shop);
    const answer = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, ...fields },
    });
    expect(answer.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await tracesOf(shop)).toEqual(before);
  });

  it("refuses as component another business's product, an archived one, a bundle, or another's variant", async () => {
    const { shop, ask, components, cup, tea } = await givenTeaSet();
    const pricing = { type: "fixed", value: "1" };
    const bundle = await ask("POST", "/bundles", { body: { name: "Set", components, pricing } });
    const foreign = await givenProduct(await givenNeighbour(shop));
    const gone = await ask("POST", "/products", { body: { name: "Gone", default_price: "1" } });
    await ask("DELETE", `/products/${at(gone, "data.id")}`);
    for (const product_id of [foreign.id, at(gone, "data.id"), at(bundle, "data.product_id")]) {
      const answer = await ask("POST", "/bundles", {
        body: { name: "Set", pricing, components: [{ name: "A", product_id }] },
      });
      expect(answer.body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "components.0.product_id" } }),
      );
    }
    const wrong = { name: "A", product_id: cup.id, default_variant_id: tea.variants[0]?.id };
    const answer = await ask("POST", "/bundles", {
      body: { name: "Set", pricing, components: [wrong] },
    });
    expect(answer.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "components.0.default_variant_id" } }),
    );
  });
});

describe("PATCH, DELETE and GET of bundles", () => {
  it("changes product and definition together, and keeps the ids of components that stay", async () => {
    const { shop, ask, components, cup } = await givenTeaSet();
    const made = await ask("POST", "/bundles", {
      body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
    });
    const id = String(at(made, "data.id"));
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
          { name: "Two cups", component_id: at(made, "data.components.0.component_id") },
        ],
      }),
    );
    expect(roundTrips(changed).d1).toBeLessThanOrEqual(2);
    expect((await ask("GET", `/bundles/${id}`)).body).toEqual(changed.body);
    const before = await tracesOf(shop);
    const refused = await ask("PATCH", `/bundles/${id}`, {
      body: { name: "No", components: [{ name: "A", product_id: "prod_x" }] },
    });
    expect(refused.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "components.0.product_id" } }),
    );
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", "/bundles")).body).toMatchObject(
      success({ items: [{ id, name: "Set" }] }),
    );
  });

  it("archives with its product, once", async () => {
    const { shop, ask, components } = await givenTeaSet();
    const made = await ask("POST", "/bundles", {
      body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
    });
    const id = String(at(made, "data.id"));
    const archived = await ask("DELETE", `/bundles/${id}`);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await tracesOf(shop);
    expect((await ask("DELETE", `/bundles/${id}`)).body).toEqual(archived.body);
    expect(await tracesOf(shop)).toEqual(before);
    expect((await ask("GET", `/bundles/${id}`)).status).toBe(404);
    expect((await ask("GET", `/products/${at(made, "data.product_id")}`)).status).toBe(404);
    expect((await ask("GET", "/bundles")).body).toMatchObject(success({ items: [] }));
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "finds no bundle of another business by %s",
    async (method) => {
      const { shop, ask, components } = await givenTeaSet();
      const made = await ask("POST", "/bundles", {
        body: { name: "Set", components, pricing: { type: "fixed", value: "9" } },
      });
      const other = await givenNeighbour(shop);
      const answer = await merchant(other)(
        method,
        `/bundles/${at(made, "data.id")}`,
        method === "PATCH" ? { body: { name: "Mine" } } : {},
      );
      expect(answer.status).toBe(404);
      expect(await tracesOf(other)).toMatchObject({ audit_entries: 0 });
    },
  );
});
