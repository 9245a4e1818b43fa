import { describe, expect, it } from "vitest";
import { addToCart, type Cart, emptyCart } from "../../shared/cart/index.ts";

const snapshot = {
  name: "Tea",
  variantId: null,
  variantName: null,
  unitPriceMinor: 100,
  parts: [],
  lock: null,
};

/** A line of its own, whose note is so long. */
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

function filled(lines: number, noteLength?: number): Cart {
  let cart = emptyCart("cart_1", 0);
  for (let count = 0; count < lines; count += 1)
    cart = addToCart(cart, line(count, noteLength), () => `ci_${count}`).cart;
  return cart;
}

const full = expect.objectContaining({ context: { rule: "CART_FULL" } });

describe("a cart", () => {
  it("is full at 200 lines, and still takes pieces of those", () => {
    const cart = filled(200);
    expect(() => addToCart(cart, line(200), () => "ci_200")).toThrow(full);
    expect(addToCart(cart, line(7), () => "ci_200").line.quantity).toBe(2);
  });

  it("is full when its choices and notes are too long to be stored and answered as one", () => {
    const cart = filled(100, 4_500);
    expect(() => addToCart(cart, line(100, 40_000), () => "ci_100")).toThrow(full);
    expect(addToCart(cart, line(100), () => "ci_100").cart.lines).toHaveLength(101);
  });
});
