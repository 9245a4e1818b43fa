import { describe, expect, it } from "vitest";
import type { BundleComponent, BundlePricing } from "../../shared/catalogue/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import { addOns, line, product, selection, setOf, variant } from "./given.ts";

const burger = product({
  id: "burger",
  defaultPriceMinor: 3_000,
  variants: [
    variant("burger", "beef", { priceAdjustmentMinor: 200, isDefault: true }),
    variant("burger", "double", { priceAdjustmentMinor: 900 }),
    variant("burger", "veggie", { priceAdjustmentMinor: -100 }),
    variant("burger", "retired", { isActive: false }),
  ],
});
const soda = product({
  id: "soda",
  defaultPriceMinor: 500,
  variants: [variant("soda", "can"), variant("soda", "bottle", { priceAdjustmentMinor: 250 })],
});
const dip = product({ id: "dip", defaultPriceMinor: 101 });

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
  product({
    id: "meal",
    defaultPriceMinor: 3_900,
    productType: "bundle",
    addOns: [addOns("extras", { cutlery: 50 })],
    bundle: { id: "bun_1", productId: "meal", components: parts, pricing },
  });
const fixed: BundlePricing = { type: "fixed" };
const menu = (pricing: BundlePricing, parts = components) =>
  setOf(meal(pricing, parts), burger, soda, dip);
const mealWith = (...bundleSelections: readonly ReturnType<typeof selection>[]) =>
  line("meal", { bundleSelections });
const priceOf = (pricing: BundlePricing, ...chosen: readonly ReturnType<typeof selection>[]) =>
  priceLine(menu(pricing), mealWith(...chosen)).unitPriceMinor;

describe("a bundle with a fixed price", () => {
  it("costs its product's price as it comes", () => {
    expect(priceLine(menu(fixed), mealWith()).parts).toEqual([
      { name: "meal", amountMinor: 3_900 },
    ]);
  });

  it("changes by what the swapped variants cost more or less, times the quantity", () => {
    const chosen = [
      selection("main", { variantId: "veggie" }),
      selection("drink", { variantId: "bottle", quantity: 2 }),
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

  it("costs the same when the selections name what it holds anyway", () => {
    const chosen = [
      selection("side"),
      selection("main", { variantId: "beef" }),
      selection("drink", { variantId: "can", quantity: 2 }),
    ];
    expect(priceOf(fixed, ...chosen)).toBe(3_900);
  });

  it("takes the bundle's own add-on options on top", () => {
    expect(
      priceLine(menu(fixed), line("meal", { addOnOptionIds: ["cutlery"] })).unitPriceMinor,
    ).toBe(3_950);
  });
});

describe("a bundle with a discount off its components", () => {
  // 3000 + 200, twice 500, 101: 4301.
  it("takes the percentage off their sum, rounded half to even", () => {
    expect(priceOf({ type: "percent_off", percent: "10" })).toBe(4_301 - 430);
    expect(priceOf({ type: "percent_off", percent: "50" })).toBe(4_301 - 2_150);
    expect(
      priceOf({ type: "percent_off", percent: "50" }, selection("main", { variantId: "double" })),
    ).toBe(5_001 - 2_500);
    expect(priceOf({ type: "percent_off", percent: "0" })).toBe(4_301);
  });

  it("takes the amount off their sum", () => {
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

  it("never takes more than their sum", () => {
    expect(priceOf({ type: "amount_off", amountMinor: 4_302 })).toBe(0);
    expect(priceOf({ type: "percent_off", percent: "150" })).toBe(0);
    expect(
      priceLine(
        menu({ type: "amount_off", amountMinor: 9_999 }),
        line("meal", { addOnOptionIds: ["cutlery"] }),
      ),
    ).toMatchObject({ unitPriceMinor: 50 });
  });
});

describe("the selections of a bundle", () => {
  it.each([
    ["component", "an unknown component", [selection("dessert")]],
    ["variant", "an unknown variant", [selection("main", { variantId: "fish" })]],
    ["variant", "an inactive variant", [selection("main", { variantId: "retired" })]],
    ["variant", "a variant of a product without any", [selection("side", { variantId: "hot" })]],
  ])("know no %s: %s", (what, _why, chosen) => {
    expect(() => priceOf(fixed, ...chosen)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it.each([
    ["another quantity than the bundle's", [selection("drink", { quantity: 1, variantId: "can" })]],
    ["another product's variant", [selection("main", { variantId: "can" })]],
    [
      "a component twice",
      [selection("main", { variantId: "double" }), selection("main", { variantId: "beef" })],
    ],
  ])("are refused with %s", (_what, chosen) => {
    expect(() => priceOf(fixed, ...chosen)).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("swap only what is swappable", () => {
    const stiff = menu(
      fixed,
      components.map((component) => ({ ...component, isSwappable: false })),
    );
    expect(
      priceLine(stiff, mealWith(selection("main", { variantId: "beef" }))).unitPriceMinor,
    ).toBe(3_900);
    expect(() => priceLine(stiff, mealWith(selection("main", { variantId: "double" })))).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("know no bundle whose component has gone", () => {
    const gone = setOf(meal(fixed), burger, { ...soda, isActive: false }, dip);
    expect(() => priceLine(gone, mealWith())).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });

  it("measure a swap against the standard variant even when that is no longer sold", () => {
    const without = {
      ...burger,
      variants: burger.variants.map((one) => ({ ...one, isActive: one.id !== "beef" })),
    };
    const products = setOf(meal(fixed), without, soda, dip);
    expect(
      priceLine(products, mealWith(selection("main", { variantId: "double" }))).unitPriceMinor,
    ).toBe(3_900 + 700);
    expect(() => priceLine(products, mealWith())).toThrow(
      expect.objectContaining({ code: "NOT_FOUND" }),
    );
  });
});
