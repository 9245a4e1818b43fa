import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Composite } from "../../shared/catalogue/index.ts";
import { maxAmountMinor } from "../../shared/kernel/index.ts";
import { priceComposite, priceLine } from "../../shared/pricing/index.ts";
import { addOns, line, product, selection, setOf, sum, variant } from "./given.ts";

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
const chicken = product({
  id: "chicken",
  variants: [
    variant("chicken", "grilled", { priceAdjustmentMinor: 50, isDefault: true }),
    variant("chicken", "spicy", { priceAdjustmentMinor: -20 }),
    variant("chicken", "retired", { isActive: false }),
  ],
  addOns: [addOns("sauce", { peanut: 75 })],
});
const juice = product({
  id: "juice",
  variants: [variant("juice", "mango")],
  addOns: [addOns("ice", { cubes: 5 })],
});
const bowlProduct = product({
  id: "bowl",
  defaultPriceMinor: 9_999,
  productType: "composite",
  composite: bowl,
});
const products = setOf(bowlProduct, chicken, juice);
const rice = selection("rice");

describe("priceComposite", () => {
  it("adds the chosen pieces to the base price", () => {
    const chosen = [
      selection("salad"),
      selection("egg"),
      selection("chicken", { quantity: 2, variantId: "spicy", addOnOptionId: "peanut" }),
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
    });
  });

  it("takes a component at its own price when no variant is chosen", () => {
    expect(priceComposite(bowl, products, [rice, selection("chicken")]).componentsTotalMinor).toBe(
      600,
    );
  });

  it("lets one component be chosen in several ways", () => {
    const chosen = [
      rice,
      selection("chicken", { variantId: "grilled" }),
      selection("chicken", { variantId: "spicy" }),
    ];
    expect(priceComposite(bowl, products, chosen).componentsTotalMinor).toBe(650 + 580);
  });

  it.each([
    ["a minimum not reached", []],
    ["a minimum not reached by another group's pieces", [selection("egg")]],
    ["a maximum exceeded by components", [rice, selection("salad")]],
    ["a maximum exceeded by pieces of one component", [rice, selection("egg", { quantity: 4 })]],
    [
      "a maximum exceeded by repeats",
      [rice, selection("egg", { quantity: 2 }), selection("egg", { quantity: 2 })],
    ],
    ["no piece", [rice, selection("egg", { quantity: 0 })]],
    ["a negative quantity", [rice, selection("egg", { quantity: -1 })]],
    ["a piece and a half", [rice, selection("egg", { quantity: 1.5 })]],
    ["another product's variant", [rice, selection("chicken", { variantId: "mango" })]],
  ])("refuses %s", (_what, chosen) => {
    expect(() => priceComposite(bowl, products, chosen)).toThrow(
      expect.objectContaining({
        code: "BUSINESS_RULE_VIOLATION",
        context: expect.objectContaining({ rule: "SELECTION_INVALID" }),
      }),
    );
  });

  it("allows exactly the maximum of pieces", () => {
    expect(
      priceComposite(bowl, products, [rice, selection("egg", { quantity: 3 })]).subtotalMinor,
    ).toBe(1_950);
  });

  it.each([
    ["component", "an unknown component", products, selection("gold")],
    ["variant", "an unknown variant", products, selection("chicken", { variantId: "raw" })],
    ["variant", "an inactive variant", products, selection("chicken", { variantId: "retired" })],
    [
      "variant",
      "a variant of a component without product",
      products,
      selection("egg", { variantId: "spicy" }),
    ],
    [
      "add-on option",
      "an unknown option",
      products,
      selection("chicken", { addOnOptionId: "gold" }),
    ],
    [
      "add-on option",
      "another product's option",
      products,
      selection("chicken", { addOnOptionId: "cubes" }),
    ],
    [
      "add-on option",
      "an option of a component without product",
      products,
      selection("egg", { addOnOptionId: "peanut" }),
    ],
    ["product", "a component whose product has gone", setOf(bowlProduct), selection("chicken")],
    [
      "product",
      "a component whose product is inactive",
      setOf({ ...chicken, isActive: false }),
      selection("chicken"),
    ],
  ])("knows no %s: %s", (what, _why, known, chosen) => {
    expect(() => priceComposite(bowl, known, [rice, chosen])).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: `No such ${what}.` }),
    );
  });

  it("never goes below zero, and names the part that keeps it there", () => {
    const variants = [variant("chicken", "free", { priceAdjustmentMinor: -2_700 })];
    const known = setOf(bowlProduct, { ...chicken, variants });
    const chosen = [rice, selection("chicken", { variantId: "free" })];
    const { componentsTotalMinor, subtotalMinor, parts } = priceComposite(bowl, known, chosen);
    expect({ componentsTotalMinor, subtotalMinor }).toEqual({
      componentsTotalMinor: -2_100,
      subtotalMinor: 0,
    });
    expect(parts.at(-1)).toEqual({ name: "minimum price", amountMinor: 600 });
  });

  it("refuses quantities whose price cannot be counted", () => {
    const endless = {
      ...bowl,
      groups: bowl.groups.map((group) => ({ ...group, maxSelections: Number.MAX_SAFE_INTEGER })),
    };
    const chosen = [rice, selection("egg", { quantity: maxAmountMinor })];
    expect(() => priceComposite(endless, products, chosen)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR" }),
    );
  });
});

describe("a composite in the cart", () => {
  it("costs what calculate-price says, its base price standing in for the product's", () => {
    const chosen = [rice, selection("egg", { quantity: 2 })];
    const { subtotalMinor, parts } = priceComposite(bowl, products, chosen);
    expect(priceLine(products, line("bowl", { compositeSelections: chosen }))).toMatchObject({
      unitPriceMinor: subtotalMinor,
      parts,
    });
  });

  it("is refused without the pieces that it requires", () => {
    expect(() => priceLine(products, line("bowl"))).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: "SELECTION_INVALID" }) }),
    );
  });

  it("agrees with the price done by hand, whatever the order of the selections", () => {
    const anyMinor = fc.integer({ min: 0, max: 10_000_000 });
    const anyPiece = fc.record({
      priceMinor: anyMinor,
      adjustment: fc.option(fc.integer({ min: -1_000, max: 1_000_000 })),
      option: fc.option(anyMinor),
      quantity: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(anyMinor, fc.array(anyPiece, { maxLength: 6 }), (basePriceMinor, pieces) => {
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
              components: pieces.map(({ priceMinor }, at) => ({
                componentId: `c${at}`,
                name: `c${at}`,
                priceMinor,
                productId: `p${at}`,
              })),
            },
          ],
        };
        const known = setOf(
          product({ id: "any", composite }),
          ...pieces.map(({ adjustment, option }, at) =>
            product({
              id: `p${at}`,
              variants: [variant(`p${at}`, `v${at}`, { priceAdjustmentMinor: adjustment ?? 7 })],
              addOns: [addOns("sauce", { [`o${at}`]: option ?? 7 })],
            }),
          ),
        );
        const chosen = pieces.map(({ adjustment, option, quantity }, at) =>
          selection(`c${at}`, {
            quantity,
            variantId: adjustment === null ? null : `v${at}`,
            addOnOptionId: option === null ? null : `o${at}`,
          }),
        );

        const price = priceLine(known, line("any", { compositeSelections: chosen }));

        const exact =
          BigInt(basePriceMinor) +
          sum(
            pieces.map(
              ({ priceMinor, adjustment, option, quantity }) =>
                BigInt(quantity) * sum([priceMinor, adjustment ?? 0, option ?? 0]),
            ),
          );
        expect(BigInt(price.unitPriceMinor)).toBe(exact < 0n ? 0n : exact);
        expect(sum(price.parts.map(({ amountMinor }) => amountMinor))).toBe(
          BigInt(price.unitPriceMinor),
        );
        expect(
          priceLine(known, line("any", { compositeSelections: chosen.toReversed() }))
            .unitPriceMinor,
        ).toBe(price.unitPriceMinor);
      }),
    );
  });
});
