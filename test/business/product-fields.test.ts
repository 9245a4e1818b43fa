import { describe, expect, it } from "vitest";
import { refusal, valueAt } from "../support/responses.ts";
import { countBusinessRows } from "../support/row-counts.ts";
import { shopper } from "../support/world.ts";
import { createShop, teaFields } from "./create-product.ts";

describe("POST /v1/businesses/{business_id}/products", () => {
  const two = (first: object, second: object) => ({
    variants: [
      { name: "A", ...first },
      { name: "B", ...second },
    ],
  });
  const axes = { variant_axes: teaFields.variant_axes };

  it.each([
    "javascript:alert(1)",
    "//host.example/x.png",
    "/\\host.example/x.png",
    "\\\\host.example/x.png",
    "/\t/host.example/x.png",
    "/\n/host.example/x.png",
    "https:host.example/x.png",
    "https:\\\\host.example/x.png",
    "https://host.example\\@other.example/x.png",
    "https://",
    "x.png",
  ])("rejects the image address %j", async (url) => {
    const refused = await (await createShop()).ask("POST", "/products", {
      body: { ...teaFields, images: [{ url }] },
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "images.0.url" } }),
    );
  });

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
    ["weight_grams", { weight_grams: -1 }],
    ["weight_grams", { weight_grams: 1.5 }],
    ["requires_shipping", { requires_shipping: "no" }],
    ["variants.0.weight_grams", { variants: [{ name: "A", weight_grams: -1 }] }],
    ["tags.0", { tags: ["a,b"] }],
    ["tags.0", { tags: ["x".repeat(65)] }],
    ["tags", { tags: Array.from({ length: 101 }, (_, n) => `t${n}`) }],
    ["properties", { properties: [] }],
    ["taxonomy_id", { taxonomy_id: "" }],
    ["variant_axes.0.values", { variant_axes: [{ name: "size", label: "Size", values: [] }] }],
    [
      "variant_axes.0.values",
      { variant_axes: [{ name: "size", label: "Size", values: ["S", "S"] }] },
    ],
    [
      "variant_axes.1.name",
      { variant_axes: [...teaFields.variant_axes, ...teaFields.variant_axes] },
    ],
    ["variants", { variants: Array.from({ length: 2_501 }, (_, n) => ({ name: `V${n}` })) }],
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
  ])("rejects an invalid %s with its field and stores nothing", async (field, fields) => {
    const { shop, ask } = await createShop();
    const response = await ask("POST", "/products", {
      body: { name: "Tea", default_price: "1", ...fields },
    });
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await countBusinessRows(shop)).toMatchObject({
      products: 0,
      product_variants: 0,
      audit_entries: 0,
      version: 0,
    });
  });

  it("accepts a variant's largest numbers, and names one above its maximum", async () => {
    const { ask } = await createShop();
    const largest = { duration_minutes: 10_080, buffer_minutes: 1_440, capacity: 100_000 };
    const variantWith = (fields: object) => ({
      body: { name: "Tea", default_price: "1", variants: [{ name: "A", ...fields }] },
    });
    const created = await ask("POST", "/products", variantWith(largest));
    expect(valueAt(created, "data.variants")).toMatchObject([largest]);
    for (const [field, maximum] of Object.entries(largest)) {
      const refused = await ask("POST", "/products", variantWith({ [field]: maximum + 1 }));
      expect(refused.body, field).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: `variants.0.${field}` } }),
      );
    }
  });

  it("trims tags, so that a list query finds them", async () => {
    const { shop, ask } = await createShop();
    const body = { name: "Tea", default_price: "1", tags: [" black tea ", "black tea", "\thot"] };
    const created = await ask("POST", "/products", { body });
    expect(valueAt(created, "data.tags")).toEqual(["black tea", "hot"]);
    const found = await shopper(shop)("GET", "/catalogue/products?tags=hot,%20black%20tea");
    expect(valueAt(found, "data.items")).toHaveLength(1);
    const rule = { tags: [" hot"] };
    const collection = await ask("POST", "/collections", { body: { name: "Hot", rule } });
    expect(collection.body).toMatchObject({ data: { product_count: 1, rule: { tags: ["hot"] } } });
    const nothing = { ...body, tags: ["  "] };
    expect(await ask("POST", "/products", { body: nothing })).toMatchObject({ status: 400 });
  });
});
