import { beforeAll, describe, expect, it } from "vitest";
import {
  merchantCatalogue,
  type NewProduct,
  type Product,
  productListing,
  storefrontCatalogue,
} from "../../shared/catalogue/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { createProduct } from "../support/create-product.ts";
import { contextFor, createBusiness, type TestBusiness } from "../support/world.ts";

const { findCatalogueEntries, listCatalogueEntries } = storefrontCatalogue;

describe("catalogue entries", () => {
  let shop: TestBusiness;
  let shirt: Product;
  let tea: Product;
  const variantId = (name: string) => shirt.variants.find((one) => one.name === name)?.id ?? "";

  beforeAll(async () => {
    shop = await createBusiness();
    const ctx = contextFor(shop);
    const clothes = await createCategory("Clothes", null);
    const shirts = await createCategory("Shirts", clothes.id);
    shirt = await createProduct(shop, {
      name: "Shirt",
      categoryId: shirts.id,
      inventoryType: "variant_level",
      variantAxes: [{ name: "size", label: "Size", values: ["S", "M", "L"] }],
      variants: [
        variantDraft({ name: "S", sku: "SH-S", axisValues: { size: "S" }, isDefault: true }),
        variantDraft({ name: "M", sku: "SH-M", axisValues: { size: "M" } }),
        variantDraft({ name: "L", axisValues: { size: "L" }, isActive: false }),
      ],
    });
    tea = await createProduct(shop, { name: "Tea" });
    await createProduct(shop, { name: "Secret", isActive: false });
    await setStockLevel(
      ctx,
      {
        itemId: variantId("M"),
        productId: shirt.id,
        locationId: ctx.business.locations[0]?.id ?? "",
      },
      { quantityOnHand: 2 },
    );
  });

  const createCategory = (name: string, parentId: string | null) =>
    merchantCatalogue.createCategory(contextFor(shop), {
      name,
      slug: null,
      description: "",
      parentId,
      imageUrl: null,
      sortOrder: 0,
      metadata: {},
    });

  const list = async (fields: Partial<productListing.ProductFilters> = {}) => {
    const filters = { ...productListing.noFilters, ...fields };
    const sort = productListing.productSortFor({ by: null, direction: null }, filters);
    const ctx = contextFor(shop);
    const { data } = await listCatalogueEntries(ctx, {
      filters,
      sort,
      limit: 10,
      start: { offset: 0 },
    });
    return { names: data.items.map(({ product }) => product.name), ...data, trips: ctx.meter.d1 };
  };

  it("list active products with their active variants, in one round trip", async () => {
    const { items, names, next, trips } = await list();
    expect({ names, next, trips }).toEqual({ names: ["Tea", "Shirt"], next: null, trips: 1 });
    const entry = items[1];
    expect(entry?.product.variants).toEqual(shirt.variants.filter(({ isActive }) => isActive));
    expect(entry?.categories.map(({ slug }) => slug)).toEqual(["shirts", "clothes"]);
    expect([...(entry?.stockedVariantIds ?? [])]).toEqual([variantId("M")]);
  });

  it("are searched by text, and by any of several categories", async () => {
    expect((await list({ search: "shirt" })).names).toEqual(["Shirt"]);
    expect((await list({ categorySlugs: ["none", "clothes"] })).names).toEqual(["Shirt"]);
    expect((await list({ categorySlugs: ["none"] })).names).toEqual([]);
  });

  it("are found by the id and slug of a product, and the id and SKU of a variant", async () => {
    for (const identifier of [shirt.id, shirt.slug, variantId("S"), "SH-M", "sh-m"]) {
      const ctx = contextFor(shop);
      const { data } = await findCatalogueEntries(ctx, [identifier, "unknown"]);
      expect(data.map(({ product }) => product.id)).toEqual([shirt.id]);
      expect(data[0]?.product.variants).toHaveLength(2);
      expect([...(data[0]?.stockedVariantIds ?? [])]).toEqual([variantId("M")]);
      expect(data[0]?.categories).toHaveLength(2);
      expect(ctx.meter.d1).toBe(1);
    }
    const { data } = await findCatalogueEntries(contextFor(shop), [tea.id, shirt.id, "SH-S"]);
    expect(data.map(({ product }) => product.name).sort()).toEqual(["Shirt", "Tea"]);
  });

  it("are not found by the identifiers of another business or of what is not sold", async () => {
    const other = await createBusiness();
    const ids = [shirt.id, shirt.slug, variantId("S"), "SH-M"];
    expect((await findCatalogueEntries(contextFor(other), ids)).data).toEqual([]);
    const hidden = [variantId("L"), "secret"];
    expect((await findCatalogueEntries(contextFor(shop), hidden)).data).toEqual([]);
  });
});

type VariantDraft = NewProduct["variants"][number];

const variantDraft = (
  fields: Partial<VariantDraft> & Readonly<{ name: string }>,
): VariantDraft => ({
  priceAdjustmentMinor: 0,
  compareAtPriceMinor: null,
  isDefault: false,
  isActive: true,
  sku: null,
  axisValues: {},
  durationMinutes: null,
  bufferMinutes: null,
  capacity: null,
  ...fields,
});
