import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { call, createBusiness, shopper } from "../support/world.ts";
import {
  createCategoryRow,
  createProductRow,
  createStockLevelRow,
  createVariantRow,
  requireData,
} from "./create-catalogue-rows.ts";

let shop: CreatedBusiness;
let product: { id: string };
let [red, blue, retired]: { id: string }[] = [];
let [inactive, foreign]: { id: string }[] = [];
const get = (path: string) => shopper(shop)("GET", `/catalogue/products/${path}`);

beforeAll(async () => {
  shop = await createBusiness();
  const categoryId = await createCategoryRow(shop, { slug: "shirts", name: "Shirts" });
  product = await createProductRow(shop, {
    name: "Batakari",
    slug: "batakari",
    description: "A smock",
    categoryId,
    defaultPriceMinor: 12_050,
    inventoryType: "variant_level",
    isFeatured: true,
    tags: ["north", "hand-woven"],
    properties: { fabric: "cotton" },
    images: [
      { url: "https://cdn.test/back.png", isPrimary: false },
      { url: "https://cdn.test/front.png", isPrimary: true },
    ],
    variantAxes: [{ name: "colour", label: "Colour", values: ["red", "blue"] }],
    addOns: [
      {
        id: "grp_1",
        name: "Wrapping",
        selectionType: "single",
        isRequired: false,
        options: [{ id: "opt_1", name: "Gift", priceMinor: 500 }],
      },
    ],
    createdAt: 0,
  });
  blue = await createVariantRow(shop, product, {
    name: "Blue",
    position: 1,
    axisValues: { colour: "blue", size: "M" },
    priceAdjustmentMinor: -250,
  });
  red = await createVariantRow(shop, product, {
    name: "Red",
    position: 0,
    isDefault: true,
    sku: "B-R",
    axisValues: { colour: "red", size: "M" },
  });
  retired = await createVariantRow(shop, product, {
    name: "Green",
    position: 2,
    isActive: false,
    axisValues: { colour: "green" },
  });
  await createVariantRow(shop, product, { name: "Archived", position: 3, archivedAt: 1 });
  inactive = await createProductRow(shop, { slug: "inactive", isActive: false });
  foreign = await createProductRow(await createBusiness(), { slug: "of-another-business" });
});

describe("GET /catalogue/products/{product_id}", () => {
  it("returns the product by id and by slug", async () => {
    const byId = await get(product.id);
    expect(requireData(byId)).toEqual({
      id: product.id,
      name: "Batakari",
      slug: "batakari",
      description: "A smock",
      category_id: expect.stringMatching(/^cat_/),
      category: { id: expect.stringMatching(/^cat_/), name: "Shirts", slug: "shirts" },
      image_url: "https://cdn.test/front.png",
      images: [
        { url: "https://cdn.test/back.png", is_primary: false },
        { url: "https://cdn.test/front.png", is_primary: true },
      ],
      default_price: "120.50",
      compare_at_price: null,
      price_range: { min: "118.00", max: "120.50" },
      currency: "GHS",
      product_type: "product",
      inventory_type: "variant_level",
      in_stock: false,
      is_active: true,
      featured: true,
      tags: ["north", "hand-woven"],
      properties: { fabric: "cotton" },
      taxonomy_id: null,
      tax_class: "standard",
      weight_grams: 0,
      requires_shipping: true,
      created_at: "1970-01-01T00:00:00.000Z",
      variant_axes: [{ name: "colour", label: "Colour", values: ["red", "blue"] }],
      add_ons: [
        {
          id: "grp_1",
          name: "Wrapping",
          selection_type: "single",
          is_required: false,
          options: [{ id: "opt_1", name: "Gift", price: "5.00" }],
        },
      ],
      variants: [
        expect.objectContaining({
          id: red?.id,
          is_default: true,
          sku: "B-R",
          price_adjustment: "0.00",
        }),
        expect.objectContaining({
          id: blue?.id,
          is_default: false,
          sku: null,
          price_adjustment: "-2.50",
        }),
        expect.objectContaining({ id: retired?.id, is_active: false }),
      ],
    });
    expect((await get("batakari")).body).toEqual(byId.body);
  });

  it.each([
    ["an unknown id", () => "prod_none"],
    ["an inactive product", () => inactive?.id],
    ["an inactive product's slug", () => "inactive"],
    ["another business's product", () => foreign?.id],
    ["another business's slug", () => "of-another-business"],
  ])("does not find %s or its variants", async (_what, path) => {
    for (const subpath of ["", "/variants", "/variant-axes", `/variants/${red?.id}`]) {
      expect(await get(path() + subpath)).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND" } },
      });
    }
  });

  it.each([
    ["no key", {}],
    ["a secret key", { "X-API-Key": () => shop.keys.secret }],
    ["a deploy key", { Authorization: () => `Bearer ${shop.keys.deploy}` }],
  ])("refuses %s, also for a cached response", async (_what, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value()]),
    );
    await get(product.id);
    const answer = await call("GET", `/api/v1/catalogue/products/${product.id}`, { headers: sent });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  });
});

describe("GET /catalogue/products/{product_id}/variants and their axes", () => {
  it("lists the variants in order", async () => {
    const variants = requireData<{ id: string }[]>(await get("batakari/variants"));
    expect(variants.map(({ id }) => id)).toEqual([red?.id, blue?.id, retired?.id]);
  });

  it("says of each variant whether a unit is left, anywhere or at a location", async () => {
    const [open] = shop.business.locations;
    const isLeft = async (path: string) =>
      requireData<{ variants: { in_stock: boolean }[] }>(await get(path)).variants.map(
        ({ in_stock }) => in_stock,
      );
    const shirt = await createProductRow(shop, { slug: "shirt", inventoryType: "variant_level" });
    const stocks = [{ onHand: 2, reserved: 1 }, { onHand: 3, reserved: 3 }, null];
    for (const [position, stock] of stocks.entries()) {
      const { id: itemId } = await createVariantRow(shop, shirt, { position });
      if (stock) await createStockLevelRow(shop, shirt, { itemId, ...stock });
    }
    expect(await isLeft("shirt")).toEqual([true, false, false]);
    expect(await isLeft(`shirt?location_id=${open?.id}`)).toEqual([true, false, false]);
    const [first] = requireData<{ id: string; in_stock: boolean }[]>(await get("shirt/variants"));
    expect(first?.in_stock).toBe(true);
    expect(requireData(await get(`shirt/variants/${first?.id}`))).toMatchObject({ in_stock: true });
    for (const inventoryType of ["none", "tracked"] as const) {
      const slug = `scarf-${inventoryType}`;
      const scarf = await createProductRow(shop, { slug, inventoryType });
      await createVariantRow(shop, scarf, {});
      expect(await isLeft(slug)).toEqual([inventoryType === "none"]);
    }
  });

  it("returns the axes and one variant", async () => {
    expect(requireData(await get(`${product.id}/variant-axes`))).toEqual({
      axes: [{ name: "colour", label: "Colour", values: ["red", "blue"] }],
    });
    expect(requireData(await get(`${product.id}/variants/${blue?.id}`))).toMatchObject({
      id: blue?.id,
      product_id: product.id,
      name: "Blue",
    });
    expect((await get(`${product.id}/variants/var_none`)).status).toBe(404);
  });
});

describe("POST /catalogue/products/{product_id}/variants/find", () => {
  const find = (axis_selections: unknown, id = product.id) =>
    shopper(shop)("POST", `/catalogue/products/${id}/variants/find`, { body: { axis_selections } });

  it("finds the variant with the chosen values", async () => {
    expect(requireData(await find({ colour: "blue", size: "M" }))).toMatchObject({
      id: blue?.id,
      product_id: product.id,
    });
    expect(requireData(await find({ size: "M" }))).toMatchObject({ id: red?.id });
  });

  it.each([
    ["values that no variant has", { colour: "blue", size: "XL" }],
    ["an axis that no variant has", { smell: "rose" }],
    ["a variant that cannot be bought", { colour: "green" }],
  ])("does not find %s", async (_what, axisValues) => {
    expect(await find(axisValues)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } },
    });
  });

  it("does not find an inactive product", async () => {
    expect((await find({ colour: "red" }, inactive?.id)).status).toBe(404);
  });

  it.each([undefined, {}, [], "red"])("refuses axis_selections %o", async (axisValues) => {
    expect(await find(axisValues)).toMatchObject({
      status: 400,
      body: { error: { context: { field: "axis_selections" } } },
    });
  });
});
