import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Composite } from "../../shared/catalogue/index.ts";
import { maxAmountMinor } from "../../shared/kernel/index.ts";
import { priceComposite, priceLine } from "../../shared/pricing/index.ts";
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

const bowl: Composite = {
  id: "comp_1",
  productId: "bowl",
  basePriceMinor: 1_500,
  groups: [
    {
      id: "grp_1",
      name: "Base",
      minSelections: 1,
      maxSelections: 1,
      components: [
        { componentId: "rice", name: "Rice", priceMinor: 0, productId: null },
        { componentId: "salad", name: "Salad", priceMinor: 200, productId: null },
      ],
    },
    {
      id: "grp_2",
      name: "Toppings",
      minSelections: 0,
      maxSelections: 3,
      components: [
        { componentId: "egg", name: "Egg", priceMinor: 150, productId: null },
        { componentId: "chicken", name: "Chicken", priceMinor: 600, productId: "chicken" },
      ],
    },
  ],
};
const chicken = createProduct({
  id: "chicken",
  variants: [
    createVariant("chicken", "grilled", { priceAdjustmentMinor: 50, isDefault: true }),
    createVariant("chicken", "spicy", { priceAdjustmentMinor: -20 }),
    createVariant("chicken", "retired", { isActive: false }),
  ],
  addOns: [createAddOnGroup("sauce", { peanut: 75 })],
});
const juice = createProduct({
  id: "juice",
  variants: [createVariant("juice", "mango")],
  addOns: [createAddOnGroup("ice", { cubes: 5 })],
});
const bowlProduct = createProduct({
  id: "bowl",
  defaultPriceMinor: 9_999,
  productType: "composite",
  composite: bowl,
});
const products = createProductSet(bowlProduct, chicken, juice);
const rice = createSelection("rice");

describe("priceComposite", () => {
  it("adds the chosen components to the base price", () => {
    const chosen = [
      createSelection("salad"),
      createSelection("egg"),
      createSelection("chicken", { quantity: 2, variantId: "spicy", addOnOptionId: "peanut" }),
    ];
    expect(priceComposite(bowl, products, chosen)).toEqual({
      basePriceMinor: 1_500,
      componentsTotalMinor: 200 + 150 + 2 * (600 - 20 + 75),
      subtotalMinor: 3_160,
      parts: [
        { name: "base price", amountMinor: 1_500 },
        { name: "1 × Salad", amountMinor: 200 },
        { name: "1 × Egg", amountMinor: 150 },
        { name: "2 × Chicken, spicy, peanut", amountMinor: 1_310 },
      ],
      missing: [],
    });
  });

  it.each([
    ["nothing is chosen", [], 1_500],
    ["only another group's components are chosen", [createSelection("egg")], 1_650],
  ])("has the price so far and what is missing when %s", (_what, chosen, subtotalMinor) => {
    expect(priceComposite(bowl, products, chosen)).toMatchObject({
      subtotalMinor,
      missing: [{ group: { id: "grp_1" }, quantity: 1 }],
    });
    expect(() =>
      priceLine(products, createConfiguration("bowl", { compositeSelections: chosen })),
    ).toThrow("Choose at least 1 of Base.");
  });

  it("uses a component's own price without a variant", () => {
    expect(
      priceComposite(bowl, products, [rice, createSelection("chicken")]).componentsTotalMinor,
    ).toBe(600);
  });

  it("allows one component with several variants", () => {
    const chosen = [
      rice,
      createSelection("chicken", { variantId: "grilled" }),
      createSelection("chicken", { variantId: "spicy" }),
    ];
    expect(priceComposite(bowl, products, chosen).componentsTotalMinor).toBe(650 + 580);
  });

  it.each([
    ["a maximum exceeded by components", [rice, createSelection("salad")]],
    [
      "a maximum exceeded by components of one component",
      [rice, createSelection("egg", { quantity: 4 })],
    ],
    [
      "a maximum exceeded by repeats",
      [rice, createSelection("egg", { quantity: 2 }), createSelection("egg", { quantity: 2 })],
    ],
    ["a quantity of 0", [rice, createSelection("egg", { quantity: 0 })]],
    ["a negative quantity", [rice, createSelection("egg", { quantity: -1 })]],
    ["a fractional quantity", [rice, createSelection("egg", { quantity: 1.5 })]],
    ["another product's variant", [rice, createSelection("chicken", { variantId: "mango" })]],
  ])("rejects %s", (_what, chosen) => {
    expect(() => priceComposite(bowl, products, chosen)).toThrow(
      expect.objectContaining({
        code: "BUSINESS_RULE_VIOLATION",
        context: expect.objectContaining({ rule: "SELECTION_INVALID" }),
      }),
    );
  });

  it("allows the maximum quantity", () => {
    expect(
      priceComposite(bowl, products, [rice, createSelection("egg", { quantity: 3 })]).subtotalMinor,
    ).toBe(1_950);
  });

  it.each([
    ["component", "an unknown component", products, createSelection("gold")],
    ["variant", "an unknown variant", products, createSelection("chicken", { variantId: "raw" })],
    [
      "variant",
      "an inactive variant",
      products,
      createSelection("chicken", { variantId: "retired" }),
    ],
    [
      "variant",
      "a variant of a component without product",
      products,
      createSelection("egg", { variantId: "spicy" }),
    ],
    [
      "add-on option",
      "an unknown option",
      products,
      createSelection("chicken", { addOnOptionId: "gold" }),
    ],
    [
      "add-on option",
      "another product's option",
      products,
      createSelection("chicken", { addOnOptionId: "cubes" }),
    ],
    [
      "add-on option",
      "an option of a component without product",
      products,
      createSelection("egg", { addOnOptionId: "peanut" }),
    ],
    [
      "product",
      "a component whose product was deleted",
      createProductSet(bowlProduct),
      createSelection("chicken"),
    ],
    [
      "product",
      "a component whose product is inactive",
      createProductSet({ ...chicken, isActive: false }),
      createSelection("chicken"),
    ],
  ])("rejects an unknown %s: %s", (what, _why, known, chosen) => {
    expect(() => priceComposite(bowl, known, [rice, chosen])).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it("is never negative and names the correcting part", () => {
    const variants = [createVariant("chicken", "free", { priceAdjustmentMinor: -2_700 })];
    const known = createProductSet(bowlProduct, { ...chicken, variants });
    const chosen = [rice, createSelection("chicken", { variantId: "free" })];
    const { componentsTotalMinor, subtotalMinor, parts } = priceComposite(bowl, known, chosen);
    expect({ componentsTotalMinor, subtotalMinor }).toEqual({
      componentsTotalMinor: -2_100,
      subtotalMinor: 0,
    });
    expect(parts.at(-1)).toEqual({ name: "minimum price", amountMinor: 600 });
  });

  it("rejects prices that are too large", () => {
    const endless = {
      ...bowl,
      groups: bowl.groups.map((group) => ({ ...group, maxSelections: Number.MAX_SAFE_INTEGER })),
    };
    const chosen = [rice, createSelection("egg", { quantity: maxAmountMinor })];
    expect(() => priceComposite(endless, products, chosen)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    );
  });
});

describe("a composite in the cart", () => {
  it("costs the calculated price, with the base price instead of the product's", () => {
    const chosen = [rice, createSelection("egg", { quantity: 2 })];
    const { subtotalMinor, parts } = priceComposite(bowl, products, chosen);
    expect(
      priceLine(products, createConfiguration("bowl", { compositeSelections: chosen })),
    ).toMatchObject({
      unitPriceMinor: subtotalMinor,
      parts,
    });
  });

  it("is rejected without required components", () => {
    expect(() => priceLine(products, createConfiguration("bowl"))).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("matches an independent calculation for any order of selections", () => {
    const anyMinor = fc.integer({ min: 0, max: 10_000_000 });
    const anyComponent = fc.record({
      priceMinor: anyMinor,
      adjustment: fc.option(fc.integer({ min: -1_000, max: 1_000_000 })),
      option: fc.option(anyMinor),
      quantity: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(
        anyMinor,
        fc.array(anyComponent, { maxLength: 6 }),
        (basePriceMinor, components) => {
          const composite: Composite = {
            id: "comp_any",
            productId: "any",
            basePriceMinor,
            groups: [
              {
                id: "grp_any",
                name: "All",
                minSelections: 0,
                maxSelections: 120,
                components: components.map(({ priceMinor }, at) => ({
                  componentId: `c${at}`,
                  name: `c${at}`,
                  priceMinor,
                  productId: `p${at}`,
                })),
              },
            ],
          };
          const known = createProductSet(
            createProduct({ id: "any", composite }),
            ...components.map(({ adjustment, option }, at) =>
              createProduct({
                id: `p${at}`,
                variants: [
                  createVariant(`p${at}`, `v${at}`, { priceAdjustmentMinor: adjustment ?? 7 }),
                ],
                addOns: [createAddOnGroup("sauce", { [`o${at}`]: option ?? 7 })],
              }),
            ),
          );
          const chosen = components.map(({ adjustment, option, quantity }, at) =>
            createSelection(`c${at}`, {
              quantity,
              variantId: adjustment === null ? null : `v${at}`,
              addOnOptionId: option === null ? null : `o${at}`,
            }),
          );

          const price = priceLine(
            known,
            createConfiguration("any", { compositeSelections: chosen }),
          );

          const exact =
            BigInt(basePriceMinor) +
            sumExactly(
              components.map(
                ({ priceMinor, adjustment, option, quantity }) =>
                  BigInt(quantity) * sumExactly([priceMinor, adjustment ?? 0, option ?? 0]),
              ),
            );
          expect(BigInt(price.unitPriceMinor)).toBe(exact < 0n ? 0n : exact);
          expect(sumExactly(price.parts.map(({ amountMinor }) => amountMinor))).toBe(
            BigInt(price.unitPriceMinor),
          );
          expect(
            priceLine(
              known,
              createConfiguration("any", { compositeSelections: chosen.toReversed() }),
            ).unitPriceMinor,
          ).toBe(price.unitPriceMinor);
        },
      ),
    );
  });
});
