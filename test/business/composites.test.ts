import { describe, expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  merchant,
  roundTrips,
} from "../support/world.ts";

async function createShop() {
  const shop = await createBusiness();
  const rice = await createProduct(shop, { name: "Rice" });
  const groups = [
    {
      name: "Base",
      min_selections: 1,
      max_selections: 2,
      components: [{ name: "Rice", product_id: rice.id, price: "1.50" }, { name: "Air" }],
    },
    { name: "Top", components: [{ name: "Egg", price: "2" }] },
  ];
  return { shop, ask: merchant(shop), rice, groups };
}

describe("POST /v1/businesses/{business_id}/composites", () => {
  it("creates a composite and its product in one commit", async () => {
    const { shop, ask, rice, groups } = await createShop();
    const before = await countBusinessRows(shop);
    const response = await ask("POST", "/composites", {
      body: { name: "Bowl", base_price: "5", groups },
    });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    expect(response.body).toMatchObject(
      success({
        id: expect.stringMatching(/^comp_/),
        product_id: expect.stringMatching(/^prod_/),
        product_type: "composite",
        base_price: "5.00",
        default_price: "5.00",
        groups: [
          {
            id: expect.stringMatching(/^grp_/),
            min_selections: 1,
            max_selections: 2,
            components: [
              { name: "Rice", product_id: rice.id, price: "1.50" },
              { name: "Air", product_id: null, price: "0.00" },
            ],
          },
          { min_selections: 0, max_selections: 1 },
        ],
      }),
    );
    expect(roundTrips(response).d1).toBeLessThanOrEqual(3); // with the key's own look-up
    expect((await ask("GET", `/composites/${valueAt(response, "data.id")}`)).body).toEqual(
      response.body,
    );
    expect(await countBusinessRows(shop)).toMatchObject({
      products: Number(before.products) + 1,
      composites: 1,
      audit_entries: Number(before.audit_entries) + 1,
      version: Number(before.version) + 1,
    });
    expect((await listAuditActions(shop)).at(-1)).toBe("composite.created");
  });

  it.each([
    ["base_price", { base_price: undefined }],
    ["base_price", { base_price: "-1" }],
    ["groups", { groups: [] }],
    ["groups.0.name", { groups: [{ components: [{ name: "A" }] }] }],
    ["groups.0.components", { groups: [{ name: "A", components: [] }] }],
    ["groups.0.components.0.name", { groups: [{ name: "A", components: [{}] }] }],
    [
      "groups.0.components.0.price",
      { groups: [{ name: "A", components: [{ name: "A", price: "-1" }] }] },
    ],
    [
      "groups.0.components.0.product_id",
      { groups: [{ name: "A", components: [{ name: "A", product_id: "prod_x" }] }] },
    ],
    [
      "groups.0.max_selections",
      { groups: [{ name: "A", min_selections: 2, components: [{ name: "A" }] }] },
    ],
    [
      "groups.0.min_selections",
      { groups: [{ name: "A", min_selections: -1, components: [{ name: "A" }] }] },
    ],
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask, groups } = await createShop();
    const before = await countBusinessRows(shop);
    const response = await ask("POST", "/composites", {
      body: { name: "Bowl", base_price: "5", groups, ...fields },
    });
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toEqual(before);
  });
});

describe("PATCH, DELETE and GET of composites", () => {
  it("changes product and definition together and keeps the ids of groups and components that stay", async () => {
    const { ask, groups } = await createShop();
    const created = await ask("POST", "/composites", {
      body: { name: "Bowl", base_price: "5", groups },
    });
    const id = String(valueAt(created, "data.id"));
    const [base] = groups;
    const changed = await ask("PATCH", `/composites/${id}`, {
      body: {
        name: "Big bowl",
        base_price: "6",
        groups: [{ ...base, components: base?.components.slice(1) }],
      },
    });
    expect(changed.body).toMatchObject(
      success({
        name: "Big bowl",
        base_price: "6.00",
        default_price: "6.00",
        groups: [
          {
            id: valueAt(created, "data.groups.0.id"),
            components: [
              { component_id: valueAt(created, "data.groups.0.components.1.component_id") },
            ],
          },
        ],
      }),
    );
    expect(roundTrips(changed).d1).toBeLessThanOrEqual(2);
    expect((await ask("GET", `/composites/${id}`)).body).toEqual(changed.body);
    expect((await ask("GET", "/composites")).body).toMatchObject(success({ items: [{ id }] }));
  });

  it("archives the composite and its product; a repeat changes nothing", async () => {
    const { shop, ask, groups } = await createShop();
    const created = await ask("POST", "/composites", {
      body: { name: "Bowl", base_price: "5", groups },
    });
    const id = String(valueAt(created, "data.id"));
    const archived = await ask("DELETE", `/composites/${id}`);
    expect(archived.body).toMatchObject(success({ id, is_active: false }));
    const before = await countBusinessRows(shop);
    expect((await ask("DELETE", `/composites/${id}`)).body).toEqual(archived.body);
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/composites/${id}`)).status).toBe(404);
    expect((await ask("GET", "/composites")).body).toMatchObject(success({ items: [] }));
  });

  it.each(["GET", "PATCH", "DELETE"])(
    "finds no composite of another business by %s",
    async (method) => {
      const { shop, ask, groups } = await createShop();
      const created = await ask("POST", "/composites", {
        body: { name: "Bowl", base_price: "5", groups },
      });
      const other = await createBusinessOnSameShard(shop);
      const response = await merchant(other)(
        method,
        `/composites/${valueAt(created, "data.id")}`,
        method === "PATCH" ? { body: { name: "Mine" } } : {},
      );
      expect(response.status).toBe(404);
      expect(await countBusinessRows(other)).toMatchObject({ audit_entries: 0 });
    },
  );
});
