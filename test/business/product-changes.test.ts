import { describe, expect, it } from "vitest";
import { refusal, success, valueAt } from "../support/responses.ts";
import { countBusinessRows, listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { createShop, postProduct, selectTagFacets, teaFields } from "./create-product.ts";

describe("PATCH /v1/businesses/{business_id}/products/{product_id}", () => {
  it("changes only the fields that are sent", async () => {
    const { shop, ask } = await createShop();
    const { response, id } = await postProduct(ask);
    const changed = await ask("PATCH", `/products/${id}`, {
      body: { name: "Green tea", default_price: "9", tags: ["green"] },
    });
    expect(changed.status).toBe(200);
    const before = response.body as { data: object };
    expect(changed.body).toEqual(
      success({
        ...before.data,
        name: "Green tea",
        default_price: "9.00",
        price_range: { min: "7.75", max: "9.00" },
        tags: ["green"],
      }),
    );
    expect((await ask("GET", `/products/${id}`)).body).toEqual(changed.body);
    expect(await listAuditActions(shop)).toEqual(["product.created", "product.updated"]);
    expect(await selectTagFacets(shop, id)).toEqual(["green"]);
    expect(await countBusinessRows(shop)).toMatchObject({ version: 2 });
  });

  it("keeps the ids of variants that match by id, axis values, sku or name and archives the others", async () => {
    const { shop, ask } = await createShop();
    const { response, id } = await postProduct(ask, {
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
    const old = [0, 1, 2].map((index) => valueAt(response, `data.variants.${index}.id`));
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
    expect([2, 1, 0].map((index) => valueAt(changed, `data.variants.${index}.id`))).toEqual(old);
    expect(valueAt(changed, "data.variants.0.is_default")).toBe(true);
    const byId = await ask("PATCH", `/products/${id}`, {
      body: { variant_axes: [], variants: [{ id: old[0], name: "Other" }] },
    });
    expect(byId.body).toMatchObject(
      success({ variants: [{ id: old[0], name: "Other", is_default: true }] }),
    );
    expect((await ask("GET", `/products/${id}`)).body).toEqual(byId.body);
    const live = await selectRows(
      shop,
      "select name from product_variants where product_id = ? and archived_at is null",
      id,
    );
    expect(live).toEqual([{ name: "Other" }]);
  });

  it("keeps the ids of add-on groups and options by name", async () => {
    const { ask } = await createShop();
    const { response, id } = await postProduct(ask);
    const changed = await ask("PATCH", `/products/${id}`, {
      body: {
        add_ons: [
          { name: "Sugar", options: [{ name: "One" }] },
          { ...teaFields.add_ons[0], options: [{ name: "Soy" }, { name: "Oat", price: "1" }] },
        ],
      },
    });
    expect(valueAt(changed, "data.add_ons.1.id")).toBe(valueAt(response, "data.add_ons.0.id"));
    expect(valueAt(changed, "data.add_ons.1.options.1.id")).toBe(
      valueAt(response, "data.add_ons.0.options.0.id"),
    );
    expect(valueAt(changed, "data.add_ons.1.options.1.price")).toBe("1.00");
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
  ])("rejects an invalid %s with its field and stores nothing", async (field, body) => {
    const { shop, ask } = await createShop();
    const { response, id } = await postProduct(ask);
    const before = await countBusinessRows(shop);
    const refused = await ask("PATCH", `/products/${id}`, { body });
    expect(refused.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toEqual(before);
    expect((await ask("GET", `/products/${id}`)).body).toEqual(response.body);
  });

  it("loses no field to a concurrent change", async () => {
    const { ask } = await createShop();
    const { id } = await postProduct(ask);
    const changes = [{ name: "New" }, { description: "New" }, { default_price: "1" }];
    const responses = await Promise.all(
      changes.map((body) => ask("PATCH", `/products/${id}`, { body })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    const read = await ask("GET", `/products/${id}`);
    expect(read.body).toMatchObject(
      success({ name: "New", description: "New", default_price: "1.00" }),
    );
  });
});
