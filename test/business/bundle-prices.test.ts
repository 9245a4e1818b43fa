import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BundlePricing,
  merchantCatalogue,
  productRepo,
  refreshBundlePrices,
} from "../../shared/catalogue/index.ts";
import { createMeter, openDb, shopOf } from "../../shared/database/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import { createConfiguration } from "../pricing/create-products.ts";
import { createProduct } from "../support/create-product.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import {
  contextFor,
  createBusiness,
  type merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { createTeaSet } from "./create-tea-set.ts";
import { importFile, productCsv } from "./product-files.ts";

describe("the shown price of a discounted bundle", () => {
  const priceOf = async (ask: ReturnType<typeof merchant>, productId: unknown) =>
    valueAt(await ask("GET", `/products/${productId}`), "data.default_price");

  it("follows its components when they change one by one, by their variants and by an import", async () => {
    const { shop, ask, components, cup, tea } = await createTeaSet();
    const { default_variant_id: _, ...large } = components[1] ?? {};
    const created = await ask("POST", "/bundles", {
      body: {
        name: "Tea set",
        components: [components[0], large],
        pricing: { type: "percent_off", value: "12.5" },
      },
    });
    const id = valueAt(created, "data.product_id");
    expect(valueAt(created, "data.default_price")).toBe("17.50"); // 20.00 - 2.50
    const changed = await ask("PATCH", `/products/${cup.id}`, { body: { default_price: "5.02" } });
    expect(roundTrips(changed).d1).toBeLessThanOrEqual(3);
    expect(await priceOf(ask, id)).toBe("19.28"); // 22.04 - 2.755, half to even 2.76
    const variants = (tea.variants ?? []).map((variant) => ({
      id: variant.id,
      name: variant.name,
      price_adjustment: "0",
      is_default: variant.name === "Small",
    }));
    await ask("PATCH", `/products/${tea.id}`, { body: { variants } });
    expect(await priceOf(ask, id)).toBe("17.54"); // 20.04 - 2.505, half to even 2.50
    const file = await importFile(shop, productCsv(`${cup.slug},Cup,,true,,,,,1.00`));
    expect(file).toMatchObject({ status: 200 });
    expect(await priceOf(ask, id)).toBe("10.50");
  });

  it("equals the price that a cart charges, at each location that overrides a component's price", async () => {
    const { shop, ask, components, cup } = await createTeaSet();
    const location_id = shop.business.locations[0]?.id;
    const created = await ask("POST", "/bundles", {
      body: { name: "Tea set", components, pricing: { type: "amount_off", value: "3" } },
    });
    const id = valueAt(created, "data.product_id");
    await ask("PATCH", `/products/${cup.id}`, {
      body: { default_price: "6", price_overrides: [{ location_id, price: "1" }] },
    });
    const storefront = shopper(shop);
    for (const query of ["", `?location_id=${location_id}`]) {
      const shown = await storefront("GET", `/catalogue/products/${id}${query}`);
      const quoted = await storefront("POST", "/catalogue/quotes", {
        body: { product_id: id, ...(query && { location_id }) },
      });
      expect(valueAt(shown, "data.default_price"), query).toBe(query ? "9.00" : "19.00");
      expect(valueAt(quoted, "data.unit_price"), query).toBe(query ? "9.00" : "19.00");
    }
    const fixed = await ask("PATCH", `/bundles/${valueAt(created, "data.id")}`, {
      body: { pricing: { type: "fixed", value: "7" } },
    });
    expect(fixed.body).toMatchObject(success({ default_price: "7.00", price_overrides: [] }));
  });

  it("cannot be set, because it would never be charged", async () => {
    const { shop, ask, components } = await createTeaSet();
    const price_overrides = [{ location_id: shop.business.locations[0]?.id, price: "1" }];
    const body = { name: "Set", components, pricing: { type: "percent_off", value: "10" } };
    const created = await ask("POST", "/bundles", { body });
    const paths = [
      `/bundles/${valueAt(created, "data.id")}`,
      `/products/${valueAt(created, "data.product_id")}`,
    ] as const;
    for (const [field, own] of [
      ["default_price", { default_price: "99" }],
      ["price_overrides", { price_overrides }],
    ] as const) {
      for (const path of paths) {
        expect((await ask("PATCH", path, { body: own })).body).toMatchObject(
          refusal("VALIDATION_ERROR", { context: { field } }),
        );
      }
    }
  });

  it("is determined by pricing in the same request, unlike the product's other fields", async () => {
    const { shop, ask, components } = await createTeaSet();
    const own = {
      default_price: "99",
      price_overrides: [{ location_id: shop.business.locations[0]?.id, price: "1" }],
    };
    const body = { name: "Set", components, pricing: { type: "percent_off", value: "10" }, ...own };
    const created = await ask("POST", "/bundles", { body });
    expect(created).toMatchObject({
      status: 201,
      body: success({ name: "Set", default_price: "16.20", price_overrides: [] }),
    });
    const half = { ...own, pricing: { type: "percent_off", value: "50" } };
    for (const _ of ["sent", "sent again"]) {
      const changed = await ask("PATCH", `/bundles/${valueAt(created, "data.id")}`, { body: half });
      expect(changed.body).toMatchObject(success({ default_price: "9.00", price_overrides: [] }));
    }
  });

  it("can be set for a bundle of fixed price, also at a location", async () => {
    const { shop, ask, components } = await createTeaSet();
    const location_id = shop.business.locations[0]?.id;
    const created = await ask("POST", "/bundles", {
      body: {
        name: "Set",
        components,
        pricing: { type: "fixed", value: "9" },
        price_overrides: [{ location_id, price: "5" }],
      },
    });
    const quoted = await shopper(shop)("POST", "/catalogue/quotes", {
      body: { product_id: valueAt(created, "data.product_id"), location_id },
    });
    expect(quoted.body).toMatchObject(success({ unit_price: "5.00" }));
  });
});

const arbitraryMinor = fc.oneof(
  fc.integer({ min: 0, max: 2_000 }),
  fc.integer({ min: 0, max: 1e9 }),
);

const arbitraryPricing: fc.Arbitrary<BundlePricing> = fc.oneof(
  fc.record({
    type: fc.constant("percent_off" as const),
    percent: fc.constantFrom("0", "0.0001", "5", "12.5", "33.3333", "50", "99.99", "100"),
  }),
  fc.record({ type: fc.constant("amount_off" as const), amountMinor: arbitraryMinor }),
);

const arbitraryComponent = fc.record({
  defaultPriceMinor: arbitraryMinor,
  hereMinor: fc.option(arbitraryMinor),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  variants: fc.array(
    fc.record({
      priceAdjustmentMinor: fc.integer({ min: -500, max: 500 }),
      isActive: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  isDefaultLast: fc.boolean(),
});

it("stores and returns the price that the pricing rule charges, for any bundle", async () => {
  const shop = await createBusiness();
  const ctx = contextFor(shop);
  const here = shop.business.locations[0]?.id ?? "";
  const bundles = fc.sample(
    fc.tuple(arbitraryPricing, fc.array(arbitraryComponent, { minLength: 1, maxLength: 3 })),
    {
      numRuns: 25,
      seed: 20_261_122,
    },
  );
  const plain = { sku: null, axisValues: {}, durationMinutes: null, bufferMinutes: null };
  for (const [pricing, drafts] of bundles) {
    const parts = [];
    for (const { defaultPriceMinor, hereMinor, variants, isDefaultLast } of drafts) {
      parts.push(
        await createProduct(shop, {
          defaultPriceMinor,
          priceOverrides:
            hereMinor === null
              ? []
              : [{ locationId: here, variantId: null, priceMinor: hereMinor }],
          variants: variants.map((variant, index) => ({
            ...plain,
            ...variant,
            name: `v${index}`,
            capacity: null,
            isActive: variant.isActive || index === 0,
            isDefault: isDefaultLast && index === variants.length - 1,
          })),
        }),
      );
    }
    const created = await merchantCatalogue.createBundle(ctx, {
      ...{ name: "Any", slug: null, description: "", categoryId: null, taxonomyId: null },
      ...{ inventoryType: "none", isActive: true, isFeatured: false, tags: [], properties: {} },
      ...{ images: [], variantAxes: [], variants: [], addOns: [], priceOverrides: [] },
      ...{ schedules: [], billingPlanIds: [], defaultPriceMinor: null },
      pricing: { ...pricing },
      components: parts.map(({ id }, index) => ({
        name: id,
        productId: id,
        defaultVariantId: null,
        quantity: drafts[index]?.quantity ?? 1,
        isSwappable: false,
      })),
    });
    const { id } = created.product;
    const read = await productRepo(ctx).findWithComponents([id]);
    const products = new Map(read.products.map((product) => [product.id, product]));
    const stored = products.get(id);
    const chargedAt = (locationId: string | null) =>
      priceLine(products, createConfiguration(id, { locationId })).unitPriceMinor;
    expect(stored?.defaultPriceMinor).toBe(chargedAt(null));
    for (const { locationId, priceMinor } of stored?.priceOverrides ?? []) {
      expect(priceMinor).toBe(chargedAt(locationId));
    }
    expect(chargedAt(here)).toBe(
      stored?.priceOverrides[0]?.priceMinor ?? stored?.defaultPriceMinor,
    );
    expect({ ...created.product, billingPlans: [], groupIds: [] }).toEqual(stored);
  }
});

it("refreshes bundle prices without a full scan", async () => {
  const shop = await createBusiness();
  const d1 = shopOf({ SHOP_1: env.SHOP_1, SHOP_2: env.SHOP_2 }, shop.business);
  const ctx = { ...contextFor(shop), db: openDb(d1, createMeter()) };
  const { sql, params } = refreshBundlePrices(ctx, ["prod_1"]).toSQL();
  const { results } = await d1
    .prepare(`explain query plan ${sql}`)
    .bind(...params)
    .all<{ detail: string }>();
  const steps = results.map(({ detail }) => detail);
  expect(steps.some((step) => step.includes("bundle_parts"))).toBe(true);
  expect(
    steps.filter((step) => /^SCAN (products|bundles|bundle_parts|product_variants)\b/.test(step)),
  ).toEqual([]);
});
