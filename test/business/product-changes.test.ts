import { describe, expect, it } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions, tracesOf } from "../support/traces.ts";
import { at, refusal, success } from "./given.ts";
import { created, listedTags, shopAndAsk, tea } from "./given-product.ts";

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
    expect(await listedTags(shop, id)).toEqual(["green"]);
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
