import { describe, expect, it } from "vitest";
import { addLine, type Cart, emptyCart } from "../../shared/cart/index.ts";

const snapshot = {
  name: "Tea",
  variantId: null,
  variantName: null,
  unitPriceMinor: 100,
  parts: [],
  lock: null,
};

/** Creates a distinct line with a note of the given length. */
const line = (number: number, noteLength = 0) => ({
  configuration: {
    productId: `prod_${number}`,
    variantId: null,
    locationId: null,
    billingPlanId: null,
    addOnOptionIds: [],
    bundleSelections: [],
    compositeSelections: [],
    specialInstructions: "x".repeat(noteLength),
  },
  quantity: 1,
  snapshot,
});

function createFullCart(lines: number, noteLength?: number): Cart {
  let cart = emptyCart("cart_1", 0);
  for (let count = 0; count < lines; count += 1)
    cart = addLine(cart, line(count, noteLength), () => `ci_${count}`).cart;
  return cart;
}

const refusalOf = (rule: string) =>
  expect.objectContaining({ context: expect.objectContaining({ rule }) });
const full = refusalOf("CART_FULL");

describe("addLine", () => {
  it("rejects line 201 but accepts more of existing lines", () => {
    const cart = createFullCart(200);
    expect(() => addLine(cart, line(200), () => "ci_200")).toThrow(full);
    expect(addLine(cart, line(7), () => "ci_200").line.quantity).toBe(2);
  });

  it("rejects lines when options and notes are too long", () => {
    const cart = createFullCart(100, 6_500);
    expect(() => addLine(cart, line(100, 40_000), () => "ci_100")).toThrow(full);
    expect(addLine(cart, line(100), () => "ci_100").cart.lines).toHaveLength(101);
  });

  it("counts bytes, so a text of the same length in another script takes more", () => {
    const note = (character: string) => ({
      ...line(1),
      configuration: { ...line(1).configuration, specialInstructions: character.repeat(70_000) },
    });
    const cart = emptyCart("cart_1", 0);
    expect(addLine(cart, note("x"), () => "ci_1").cart.lines).toHaveLength(1);
    expect(() => addLine(cart, note("ጤ"), () => "ci_1")).toThrow(refusalOf("LINE_TOO_LARGE"));
  });

  it("rejects a unit of a line whose names became too long", () => {
    const cart = createFullCart(199, 3_000);
    const renamed = { ...line(7, 3_000), snapshot: { ...snapshot, name: "x".repeat(100_000) } };
    expect(() => addLine(cart, renamed, () => "ci_200")).toThrow(full);
  });

  it("rejects lines when the names of their contents are too long", () => {
    const contents = Array.from({ length: 50 }, (_, number) => ({
      componentId: `opt_${number}`,
      productId: `prod_${number}`,
      name: "x".repeat(200),
      variantId: null,
      variantName: null,
      addOnOptionId: null,
      addOnOptionName: null,
      quantity: 1,
      unitPriceMinor: 100,
    }));
    const details = { slug: "box", imageUrl: null, addOns: [], contents };
    const bundle = (number: number) => ({ ...line(number), snapshot: { ...snapshot, details } });
    let cart = emptyCart("cart_1", 0);
    const addBundles = () => {
      for (let count = 0; count < 100; count += 1)
        cart = addLine(cart, bundle(count), () => `ci_${count}`).cart;
    };
    expect(addBundles).toThrow(full);
    expect(cart.lines).toHaveLength(37);
  });
});
