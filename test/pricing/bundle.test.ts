import { describe, expect, it } from "vitest";
import type { BundleComponent, BundlePricing } from "../../shared/catalogue/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import {
  createAddOnGroup,
  createConfiguration,
  createProduct,
  createProductSet,
  createSelection,
  createVariant,
} from "./create-products.ts";

const burger = createProduct({
  id: "burger",
  defaultPriceMinor: 3_000,
  variants: [
    createVariant("burger", "beef", { priceAdjustmentMinor: 200, isDefault: true }),
    createVariant("burger", "double", { priceAdjustmentMinor: 900 }),
    createVariant("burger", "veggie", { priceAdjustmentMinor: -100 }),
    createVariant("burger", "retired", { isActive: false }),
  ],
});
const soda = createProduct({
  id: "soda",
  defaultPriceMinor: 500,
  variants: [
    createVariant("soda", "can"),
    createVariant("soda", "bottle", { priceAdjustmentMinor: 250 }),
  ],
});
const dip = createProduct({ id: "dip", defaultPriceMinor: 101 });

const components: readonly BundleComponent[] = [
  {
    componentId: "main",
    name: "Burger",
    productId: "burger",
    defaultVariantId: "beef",
    quantity: 1,
    isSwappable: true,
  },
  {
    componentId: "drink",
    name: "Soda",
    productId: "soda",
    defaultVariantId: null,
    quantity: 2,
    isSwappable: true,
  },
  {
    componentId: "side",
    name: "Dip",
    productId: "dip",
    defaultVariantId: null,
    quantity: 1,
    isSwappable: false,
  },
];
const meal = (pricing: BundlePricing, parts = components) =>
  createProduct({
    id: "meal",
    defaultPriceMinor: 3_900,
    productType: "bundle",
    addOns: [createAddOnGroup("extras", { cutlery: 50 })],
    bundle: { id: "bun_1", productId: "meal", components: parts, pricing },
  });
const fixed: BundlePricing = { type: "fixed" };
const menu = (pricing: BundlePricing, parts = components) =>
  createProductSet(meal(pricing, parts), burger, soda, dip);
const mealWith = (...bundleSelections: readonly ReturnType<typeof createSelection>[]) =>
  createConfiguration("meal", { bundleSelections });
const priceOf = (
  pricing: BundlePricing,
  ...chosen: readonly ReturnType<typeof createSelection>[]
) => priceLine(menu(pricing), mealWith(...chosen)).unitPriceMinor;

describe("a bundle with a fixed price", () => {
  it("costs its product's price by default", () => {
    expect(priceLine(menu(fixed), mealWith()).parts).toEqual([
      { name: "meal", amountMinor: 3_900 },
    ]);
  });

  it("changes by the price differences of swapped variants times the quantity", () => {
    const chosen = [
      createSelection("main", { variantId: "veggie" }),
      createSelection("drink", { variantId: "bottle", quantity: 2 }),
    ];
    expect(priceLine(menu(fixed), mealWith(...chosen))).toMatchObject({
      unitPriceMinor: 3_900 - 300 + 2 * 250,
      parts: [
        { name: "meal", amountMinor: 3_900 },
        { name: "swapped: 1 × Burger (veggie)", amountMinor: -300 },
        { name: "swapped: 2 × Soda (bottle)", amountMinor: 500 },
      ],
    });
  });

  it("costs the same when the selections name the defaults", () => {
    const chosen = [
      createSelection("side"),
      createSelection("main", { variantId: "beef" }),
      createSelection("drink", { variantId: "can", quantity: 2 }),
    ];
    expect(priceOf(fixed, ...chosen)).toBe(3_900);
  });

  it("adds the bundle's own add-on options", () => {
    expect(
      priceLine(menu(fixed), createConfiguration("meal", { addOnOptionIds: ["cutlery"] }))
        .unitPriceMinor,
    ).toBe(3_950);
  });
});

describe("a bundle with a discount on its components", () => {
  // 3000 + 200, twice 500, 101: 4301.
  it("deducts the percentage from the sum, rounded half to even", () => {
    expect(priceOf({ type: "percent_off", percent: "10" })).toBe(4_301 - 430);
    expect(priceOf({ type: "percent_off", percent: "50" })).toBe(4_301 - 2_150);
    expect(
      priceOf(
        { type: "percent_off", percent: "50" },
        createSelection("main", { variantId: "double" }),
      ),
    ).toBe(5_001 - 2_500);
    expect(priceOf({ type: "percent_off", percent: "0" })).toBe(4_301);
  });

  it("deducts the amount from the sum", () => {
    expect(priceLine(menu({ type: "amount_off", amountMinor: 301 }), mealWith())).toMatchObject({
      unitPriceMinor: 4_000,
      parts: [
        { name: "1 × Burger (beef)", amountMinor: 3_200 },
        { name: "2 × Soda (can)", amountMinor: 1_000 },
        { name: "1 × Dip", amountMinor: 101 },
        { name: "bundle discount", amountMinor: -301 },
      ],
    });
  });

  it("deducts at most the sum", () => {
    expect(priceOf({ type: "amount_off", amountMinor: 4_302 })).toBe(0);
    expect(priceOf({ type: "percent_off", percent: "150" })).toBe(0);
    expect(
      priceLine(
        menu({ type: "amount_off", amountMinor: 9_999 }),
        createConfiguration("meal", { addOnOptionIds: ["cutlery"] }),
      ),
    ).toMatchObject({ unitPriceMinor: 50 });
  });
});

describe("selections of a bundle", () => {
  it.each([
    ["component", "an unknown component", [createSelection("dessert")]],
    ["variant", "an unknown variant", [createSelection("main", { variantId: "fish" })]],
    ["variant", "an inactive variant", [createSelection("main", { variantId: "retired" })]],
    [
      "variant",
      "a variant of a product without any",
      [createSelection("side", { variantId: "hot" })],
    ],
  ])("reject an unknown %s: %s", (what, _why, chosen) => {
    expect(() => priceOf(fixed, ...chosen)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it.each([
    [
      "another quantity than the bundle's",
      [createSelection("drink", { quantity: 1, variantId: "can" })],
    ],
    ["another product's variant", [createSelection("main", { variantId: "can" })]],
    [
      "a component twice",
      [
        createSelection("main", { variantId: "double" }),
        createSelection("main", { variantId: "beef" }),
      ],
    ],
  ])("are rejected with %s", (_what, chosen) => {
    expect(() => priceOf(fixed, ...chosen)).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("swap only swappable components", () => {
    const stiff = menu(
      fixed,
      components.map((component) => ({ ...component, isSwappable: false })),
    );
    expect(
      priceLine(stiff, mealWith(createSelection("main", { variantId: "beef" }))).unitPriceMinor,
    ).toBe(3_900);
    expect(() =>
      priceLine(stiff, mealWith(createSelection("main", { variantId: "double" }))),
    ).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("reject a bundle with a deleted component", () => {
    const gone = createProductSet(meal(fixed), burger, { ...soda, isActive: false }, dip);
    expect(() => priceLine(gone, mealWith())).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });

  it("price a swap against an inactive default variant", () => {
    const without = {
      ...burger,
      variants: burger.variants.map((one) => ({ ...one, isActive: one.id !== "beef" })),
    };
    const products = createProductSet(meal(fixed), without, soda, dip);
    expect(
      priceLine(products, mealWith(createSelection("main", { variantId: "double" })))
        .unitPriceMinor,
    ).toBe(3_900 + 700);
    expect(() => priceLine(products, mealWith())).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });
});
