import { expect } from "vitest";
import { viewOf } from "./cart-model.ts";
import { afterAdd } from "./cart-rules.ts";
import type { World } from "./cart-world.ts";
import { cartIn, named, type Shopper, send, textOf, toldCart } from "./scene.ts";

/** Puts so many lines of one product into an empty cart, each with a note of its own. */
export async function fill(shopper: Shopper, { shop, goods }: World, lines: number): Promise<void> {
  const productId = goods[0]?.product.id ?? "";
  const nothing = { variantId: null, locationId: null, planId: null, start: null };
  const plain = { ...nothing, optionIds: [], selections: [] };
  for (let line = 1; line <= lines; line += 1) {
    const note = `line ${line}`;
    const configuration = { ...plain, productId, note };
    const body = { item_id: productId, special_instructions: note };
    await send(shopper, { method: "POST", path: "/cart/items", body });
    const added = { configuration, quantity: 1, quote: null };
    const outcome = afterAdd(
      { shop, now: Date.now(), quotes: [], others: [] },
      shopper.cart,
      added,
    );
    if (outcome.type === "written") shopper.cart = outcome.carts[0] ?? shopper.cart;
  }
  const cart = await shopper.ask("GET", "/cart");
  expect(toldCart(cartIn(cart), shopper)).toEqual(viewOf(shop, shopper.cart));
  shopper.activity = { ...shopper.activity, addedAt: Date.now() };
  shopper.cart = named(shopper.cart, cartIn(cart));
  shopper.seen = textOf(cart);
}
