import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxAmountMinor } from "../../shared/kernel/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import {
  createAddOnGroup,
  createConfiguration,
  createProduct,
  createProductSet,
  createSelection,
  createVariant,
  sumExactly,
} from "./create-products.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const pizza = createProduct({
  id: "pizza",
  defaultPriceMinor: 4_000,
  variants: [
    createVariant("pizza", "small", { priceAdjustmentMinor: -500 }),
    createVariant("pizza", "medium", { isDefault: true }),
    createVariant("pizza", "large", { priceAdjustmentMinor: 1_500 }),
    createVariant("pizza", "retired", { isActive: false }),
  ],
  addOns: [
    createAddOnGroup(
      "crust",
      { thin: 0, stuffed: 700 },
      { selectionType: "single", isRequired: true },
    ),
    createAddOnGroup("extras", { olives: 150, cheese: 300 }),
  ],
});
const juice = createProduct({
  id: "juice",
  defaultPriceMinor: 900,
  variants: [createVariant("juice", "mango")],
});
const products = createProductSet(pizza, juice, createProduct({ id: "gone", isActive: false }));
const pizzaWith = (about: Parameters<typeof createConfiguration>[1]) =>
  createConfiguration("pizza", { addOnOptionIds: ["thin"], ...about });

describe("priceLine", () => {
  it("adds the variant's adjustment and the options to the product's price", () => {
    const price = priceLine(
      products,
      pizzaWith({ variantId: "large", addOnOptionIds: ["cheese", "stuffed"] }),
    );
    expect(price).toMatchObject({
      unitPriceMinor: 6_500,
      product: { id: "pizza" },
      variant: { id: "large" },
    });
    expect(price.addOns.map(({ id }) => id)).toEqual(["stuffed", "cheese"]);
    expect(price.parts).toEqual([
      { name: "pizza", amountMinor: 4_000 },
      { name: "large", amountMinor: 1_500 },
      { name: "stuffed", amountMinor: 700 },
      { name: "cheese", amountMinor: 300 },
    ]);
  });

  it("uses the default variant when none is chosen", () => {
    expect(priceLine(products, pizzaWith({})).variant?.id).toBe("medium");
  });

  it("uses the first active variant without an active default", () => {
    const variants = [
      createVariant("tea", "old", { isActive: false, isDefault: true }),
      createVariant("tea", "green", { priceAdjustmentMinor: 20 }),
      createVariant("tea", "black"),
    ];
    expect(
      priceLine(
        createProductSet(createProduct({ id: "tea", variants })),
        createConfiguration("tea"),
      ),
    ).toMatchObject({
      unitPriceMinor: 1_020,
      variant: { id: "green" },
    });
  });

  it("has no variant for a product without variants", () => {
    expect(
      priceLine(createProductSet(createProduct({ id: "salt" })), createConfiguration("salt")),
    ).toMatchObject({
      unitPriceMinor: 1_000,
      variant: null,
      addOns: [],
    });
  });

  it.each([
    ["product", "a product that is not there", createConfiguration("nothing")],
    ["product", "an inactive product", createConfiguration("gone")],
    ["variant", "an unknown variant", pizzaWith({ variantId: "huge" })],
    ["variant", "an inactive variant", pizzaWith({ variantId: "retired" })],
    ["variant", "another product's variant", pizzaWith({ variantId: "mango" })],
    ["variant", "an empty variant id", pizzaWith({ variantId: "" })],
    ["add-on option", "an unknown option", pizzaWith({ addOnOptionIds: ["thin", "gold"] })],
    [
      "component",
      "a bundle's selection on a plain product",
      pizzaWith({ bundleSelections: [createSelection("x")] }),
    ],
    [
      "component",
      "a composite's selection on a plain product",
      pizzaWith({ compositeSelections: [createSelection("x")] }),
    ],
  ])("rejects an unknown %s: %s", (what, _why, configuration) => {
    expect(() => priceLine(products, configuration)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it("rejects a product whose variants are all inactive", () => {
    const variants = [createVariant("tea", "old", { isActive: false, isDefault: true })];
    expect(() =>
      priceLine(
        createProductSet(createProduct({ id: "tea", variants })),
        createConfiguration("tea"),
      ),
    ).toThrow(expect.objectContaining({ code: "NOT_FOUND", message: "No such variant." }));
  });

  it.each([
    ["a required group without a choice", { addOnOptionIds: ["olives"] }],
    ["two options of a single group", { addOnOptionIds: ["thin", "stuffed"] }],
    ["an option twice", { addOnOptionIds: ["thin", "olives", "olives"] }],
    ["a single group's option twice", { addOnOptionIds: ["thin", "thin"] }],
  ])("rejects %s", (_what, about) => {
    expect(() => priceLine(products, pizzaWith(about))).toThrow(
      expect.objectContaining({
        code: "BUSINESS_RULE_VIOLATION",
        context: expect.objectContaining({ rule: "SELECTION_INVALID" }),
      }),
    );
  });

  it("is never negative and names the correcting part", () => {
    const variants = [createVariant("tea", "gift", { priceAdjustmentMinor: -1_700 })];
    const { unitPriceMinor, parts } = priceLine(
      createProductSet(createProduct({ id: "tea", variants })),
      createConfiguration("tea"),
    );
    expect(unitPriceMinor).toBe(0);
    expect(parts.at(-1)).toEqual({ name: "minimum price", amountMinor: 700 });
  });

  it("rejects a price that is too large", () => {
    const dear = createProduct({
      id: "dear",
      defaultPriceMinor: maxAmountMinor,
      addOns: [createAddOnGroup("more", { one: 1 })],
    });
    expect(priceLine(createProductSet(dear), createConfiguration("dear")).unitPriceMinor).toBe(
      maxAmountMinor,
    );
    expect(() =>
      priceLine(createProductSet(dear), createConfiguration("dear", { addOnOptionIds: ["one"] })),
    ).toThrow(expect.objectContaining({ code: "VALIDATION_ERROR" }));
  });

  it("matches an independent calculation for any order of options", () => {
    const anyPrice = fc.integer({ min: 0, max: 1_000_000_000 });
    const anyOption = fc.record({ priceMinor: anyPrice, isChosen: fc.boolean() });
    const anyLine = fc.record({
      defaultPriceMinor: anyPrice,
      adjustments: fc.array(fc.integer({ min: -1_500_000_000, max: 1_000_000_000 }), {
        maxLength: 4,
      }),
      variantIndex: fc.nat(),
      options: fc.array(anyOption, { maxLength: 6 }),
    });
    fc.assert(
      fc.property(anyLine, ({ defaultPriceMinor, adjustments, variantIndex, options }) => {
        const index = adjustments.length === 0 ? -1 : variantIndex % adjustments.length;
        const chosen = options.flatMap(({ isChosen }, option) => (isChosen ? [`o${option}`] : []));
        const it = createProduct({
          id: "it",
          defaultPriceMinor,
          variants: adjustments.map((priceAdjustmentMinor, at) =>
            createVariant("it", `v${at}`, { priceAdjustmentMinor }),
          ),
          addOns: [
            createAddOnGroup(
              "all",
              Object.fromEntries(options.map(({ priceMinor }, at) => [`o${at}`, priceMinor])),
            ),
          ],
        });
        const configuration = createConfiguration("it", {
          variantId: index < 0 ? null : `v${index}`,
          addOnOptionIds: chosen,
        });

        const price = priceLine(createProductSet(it), configuration);

        const exact =
          sumExactly([defaultPriceMinor, adjustments[index] ?? 0]) +
          sumExactly(
            options.filter(({ isChosen }) => isChosen).map(({ priceMinor }) => priceMinor),
          );
        expect(BigInt(price.unitPriceMinor)).toBe(exact < 0n ? 0n : exact);
        expect(sumExactly(price.parts.map(({ amountMinor }) => amountMinor))).toBe(
          BigInt(price.unitPriceMinor),
        );
        expect(
          priceLine(createProductSet(it), {
            ...configuration,
            addOnOptionIds: chosen.toReversed(),
          }),
        ).toEqual(price);
      }),
    );
  });
});

describe("at a location", () => {
  const there = (priceMinor: number, variantId: string | null = null) => ({
    locationId: "osu",
    variantId,
    priceMinor,
  });
  const water = createProduct({
    id: "water",
    defaultPriceMinor: 300,
    priceOverrides: [there(450)],
  });
  const priceOf = (locationId: string | null) =>
    priceLine(createProductSet(water), createConfiguration("water", { locationId })).unitPriceMinor;

  it("uses the location's price, or the product's without one", () => {
    expect([priceOf("osu"), priceOf("accra"), priceOf(null)]).toEqual([450, 300, 300]);
  });

  it("uses the location's prices of bundle components", () => {
    const component = {
      componentId: "part",
      name: "Water",
      productId: "water",
      defaultVariantId: null,
      quantity: 2,
      isSwappable: false,
    };
    const crate = createProduct({
      id: "crate",
      bundle: {
        id: "bun_1",
        productId: "crate",
        components: [component],
        pricing: { type: "amount_off", amountMinor: 100 },
      },
    });
    const products = createProductSet(crate, water);
    expect(
      priceLine(products, createConfiguration("crate", { locationId: "osu" })).unitPriceMinor,
    ).toBe(800);
    expect(priceLine(products, createConfiguration("crate")).unitPriceMinor).toBe(500);
  });
});

describe("by a billing plan", () => {
  const plan = {
    id: "bp_1",
    name: "Weekly",
    interval: "week" as const,
    intervalCount: 1,
    priceMinor: 250,
    trialDays: 0,
    minQuantity: 1,
    minOrderValueMinor: 0,
  };
  const club = { ...pizza, billingPlans: [plan] };
  const chosen = { variantId: "large", addOnOptionIds: ["thin", "cheese"], billingPlanId: "bp_1" };

  it("is the plan's price with the variant's adjustment and the options", () => {
    expect(priceLine(createProductSet(club), createConfiguration("pizza", chosen))).toMatchObject({
      unitPriceMinor: 2_050,
      renewalPriceMinor: 2_050,
      parts: [
        { name: "Weekly", amountMinor: 250 },
        { name: "large", amountMinor: 1_500 },
        { name: "thin", amountMinor: 0 },
        { name: "cheese", amountMinor: 300 },
      ],
      variant: { id: "large" },
    });
  });

  it("is nothing during a trial, and the full price afterwards", () => {
    const trial = { ...club, billingPlans: [{ ...plan, trialDays: 14 }] };
    expect(priceLine(createProductSet(trial), createConfiguration("pizza", chosen))).toMatchObject({
      unitPriceMinor: 0,
      renewalPriceMinor: 2_050,
      parts: [{}, {}, {}, {}, { name: "14 days free", amountMinor: -2_050 }],
    });
  });

  it("replaces the price of a bundle, so that swaps add their difference", () => {
    const component = {
      componentId: "drink",
      name: "Pizza",
      productId: "pizza",
      defaultVariantId: "medium",
      quantity: 2,
      isSwappable: true,
    };
    const bundle = { id: "bun_1", productId: "crate", components: [component] };
    const pricing = [{ type: "fixed" }, { type: "amount_off", amountMinor: 100 }] as const;
    for (const priced of pricing) {
      const crate = createProduct({
        id: "crate",
        billingPlans: [plan],
        bundle: { ...bundle, pricing: priced },
      });
      const selection = createSelection("drink", { quantity: 2, variantId: "large" });
      const configuration = { billingPlanId: "bp_1", bundleSelections: [selection] };
      expect(
        priceLine(createProductSet(crate, pizza), createConfiguration("crate", configuration))
          .unitPriceMinor,
      ).toBe(250 + 2 * 1_500);
    }
  });

  it("replaces the base price of a composite, so that components add theirs", () => {
    const rice = { componentId: "rice", name: "Rice", priceMinor: 120, productId: null };
    const group = { id: "grp_1", name: "Base", minSelections: 1, maxSelections: 2 };
    const bowl = createProduct({
      id: "bowl",
      billingPlans: [plan],
      composite: {
        id: "comp_1",
        productId: "bowl",
        basePriceMinor: 9_000,
        groups: [{ ...group, components: [rice] }],
      },
    });
    const compositeSelections = [createSelection("rice", { quantity: 2 })];
    const configuration = { billingPlanId: "bp_1", compositeSelections };
    expect(
      priceLine(createProductSet(bowl), createConfiguration("bowl", configuration)),
    ).toMatchObject({
      unitPriceMinor: 490,
      parts: [{ name: "Weekly", amountMinor: 250 }, { amountMinor: 240 }],
    });
  });

  it("does not change the price of a one-time purchase", () => {
    const once = createConfiguration("pizza", { ...chosen, billingPlanId: null });
    expect(priceLine(createProductSet(club), once)).toMatchObject({
      unitPriceMinor: 5_800,
      renewalPriceMinor: null,
    });
  });

  it("still requires mandatory options and a plan of the product", () => {
    expect(() =>
      priceLine(createProductSet(club), createConfiguration("pizza", { billingPlanId: "bp_1" })),
    ).toThrow("Choose an option of crust.");
    expect(() => priceLine(createProductSet(pizza), createConfiguration("pizza", chosen))).toThrow(
      "No such billing plan.",
    );
  });
});
