import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxAmountMinor } from "../../shared/kernel/index.ts";
import { priceLine } from "../../shared/pricing/index.ts";
import { addOns, line, product, selection, setOf, sum, variant } from "./given.ts";

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: 300 });

const pizza = product({
  id: "pizza",
  defaultPriceMinor: 4_000,
  variants: [
    variant("pizza", "small", { priceAdjustmentMinor: -500 }),
    variant("pizza", "medium", { isDefault: true }),
    variant("pizza", "large", { priceAdjustmentMinor: 1_500 }),
    variant("pizza", "retired", { isActive: false }),
  ],
  addOns: [
    addOns("crust", { thin: 0, stuffed: 700 }, { selectionType: "single", isRequired: true }),
    addOns("extras", { olives: 150, cheese: 300 }),
  ],
});
const juice = product({
  id: "juice",
  defaultPriceMinor: 900,
  variants: [variant("juice", "mango")],
});
const products = setOf(pizza, juice, product({ id: "gone", isActive: false }));
const pizzaWith = (about: Parameters<typeof line>[1]) =>
  line("pizza", { addOnOptionIds: ["thin"], ...about });

describe("priceLine", () => {
  it("adds the variant's adjustment and the options to the product's price, and says so", () => {
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

  it("takes the default variant when none is chosen", () => {
    expect(priceLine(products, pizzaWith({})).variant?.id).toBe("medium");
  });

  it("takes the first active variant when none is the default, or the default is inactive", () => {
    const variants = [
      variant("tea", "old", { isActive: false, isDefault: true }),
      variant("tea", "green", { priceAdjustmentMinor: 20 }),
      variant("tea", "black"),
    ];
    expect(priceLine(setOf(product({ id: "tea", variants })), line("tea"))).toMatchObject({
      unitPriceMinor: 1_020,
      variant: { id: "green" },
    });
  });

  it("has no variant where the product has none", () => {
    expect(priceLine(setOf(product({ id: "salt" })), line("salt"))).toMatchObject({
      unitPriceMinor: 1_000,
      variant: null,
      addOns: [],
    });
  });

  it.each([
    ["product", "a product that is not there", line("nothing")],
    ["product", "an inactive product", line("gone")],
    ["variant", "an unknown variant", pizzaWith({ variantId: "huge" })],
    ["variant", "an inactive variant", pizzaWith({ variantId: "retired" })],
    ["variant", "another product's variant", pizzaWith({ variantId: "mango" })],
    ["variant", "an empty variant id", pizzaWith({ variantId: "" })],
    ["add-on option", "an unknown option", pizzaWith({ addOnOptionIds: ["thin", "gold"] })],
    [
      "component",
      "a bundle's selection on a plain product",
      pizzaWith({ bundleSelections: [selection("x")] }),
    ],
    [
      "component",
      "a composite's selection on a plain product",
      pizzaWith({ compositeSelections: [selection("x")] }),
    ],
  ])("knows no %s: %s", (what, _why, configuration) => {
    expect(() => priceLine(products, configuration)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it("knows no variant of a product all of whose variants are inactive", () => {
    const variants = [variant("tea", "old", { isActive: false, isDefault: true })];
    expect(() => priceLine(setOf(product({ id: "tea", variants })), line("tea"))).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: "No such variant." }),
    );
  });

  it.each([
    ["a required group without a choice", { addOnOptionIds: ["olives"] }],
    ["two options of a single group", { addOnOptionIds: ["thin", "stuffed"] }],
    ["an option twice", { addOnOptionIds: ["thin", "olives", "olives"] }],
    ["a single group's option twice", { addOnOptionIds: ["thin", "thin"] }],
  ])("refuses %s", (_what, about) => {
    expect(() => priceLine(products, pizzaWith(about))).toThrow(
      expect.objectContaining({
        code: "BUSINESS_RULE_VIOLATION",
        context: expect.objectContaining({ rule: "SELECTION_INVALID" }),
      }),
    );
  });

  it("never goes below zero, and names the part that keeps it there", () => {
    const variants = [variant("tea", "gift", { priceAdjustmentMinor: -1_700 })];
    const { unitPriceMinor, parts } = priceLine(
      setOf(product({ id: "tea", variants })),
      line("tea"),
    );
    expect(unitPriceMinor).toBe(0);
    expect(parts.at(-1)).toEqual({ name: "minimum price", amountMinor: 700 });
  });

  it("refuses a price beyond what can be counted", () => {
    const dear = product({
      id: "dear",
      defaultPriceMinor: maxAmountMinor,
      addOns: [addOns("more", { one: 1 })],
    });
    expect(priceLine(setOf(dear), line("dear")).unitPriceMinor).toBe(maxAmountMinor);
    expect(() => priceLine(setOf(dear), line("dear", { addOnOptionIds: ["one"] }))).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    );
  });

  it("agrees with the sum done by hand, whatever the order of the options", () => {
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
        const it = product({
          id: "it",
          defaultPriceMinor,
          variants: adjustments.map((priceAdjustmentMinor, at) =>
            variant("it", `v${at}`, { priceAdjustmentMinor }),
          ),
          addOns: [
            addOns(
              "all",
              Object.fromEntries(options.map(({ priceMinor }, at) => [`o${at}`, priceMinor])),
            ),
          ],
        });
        const configuration = line("it", {
          variantId: index < 0 ? null : `v${index}`,
          addOnOptionIds: chosen,
        });

        const price = priceLine(setOf(it), configuration);

        const exact =
          sum([defaultPriceMinor, adjustments[index] ?? 0]) +
          sum(options.filter(({ isChosen }) => isChosen).map(({ priceMinor }) => priceMinor));
        expect(BigInt(price.unitPriceMinor)).toBe(exact < 0n ? 0n : exact);
        expect(sum(price.parts.map(({ amountMinor }) => amountMinor))).toBe(
          BigInt(price.unitPriceMinor),
        );
        expect(
          priceLine(setOf(it), { ...configuration, addOnOptionIds: chosen.toReversed() }),
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
  const water = product({ id: "water", defaultPriceMinor: 300, priceOverrides: [there(450)] });
  const priceOf = (locationId: string | null) =>
    priceLine(setOf(water), line("water", { locationId })).unitPriceMinor;

  it("takes the location's price, and its own where the location has none", () => {
    expect([priceOf("osu"), priceOf("accra"), priceOf(null)]).toEqual([450, 300, 300]);
  });

  it("takes the location's prices of what a bundle is made of", () => {
    const component = {
      componentId: "part",
      name: "Water",
      productId: "water",
      defaultVariantId: null,
      quantity: 2,
      isSwappable: false,
    };
    const crate = product({
      id: "crate",
      bundle: {
        id: "bun_1",
        productId: "crate",
        components: [component],
        pricing: { type: "amount_off", amountMinor: 100 },
      },
    });
    const products = setOf(crate, water);
    expect(priceLine(products, line("crate", { locationId: "osu" })).unitPriceMinor).toBe(800);
    expect(priceLine(products, line("crate")).unitPriceMinor).toBe(500);
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

  it("is the plan's price and nothing else", () => {
    expect(priceLine(setOf(club), line("pizza", chosen))).toMatchObject({
      unitPriceMinor: 250,
      parts: [{ name: "Weekly", amountMinor: 250 }],
      variant: { id: "large" },
    });
  });

  it("still wants what must be chosen, and a plan of the product", () => {
    expect(() => priceLine(setOf(club), line("pizza", { billingPlanId: "bp_1" }))).toThrow(
      "Choose from crust",
    );
    expect(() => priceLine(setOf(pizza), line("pizza", chosen))).toThrow("No such billing plan.");
  });
});
