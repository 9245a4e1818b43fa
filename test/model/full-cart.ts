import { expect } from "vitest";
import { type Cart, emptyCart, viewOf } from "./cart-model.ts";
import { afterAdd } from "./cart-rules.ts";
import type { World } from "./cart-world.ts";
import { cartIn, named, type Shopper, send, textOf, toldCart } from "./scene.ts";

/** So many adds are on their way at the same time: which of them comes first is nobody's promise. */
const atOnce = 11;

/** Puts so many lines of one product into an empty cart, each with a note of its own. */
export async function fill(shopper: Shopper, world: World, lines: number): Promise<void> {
  const item_id = plainOf(world);
  const notes = Array.from({ length: lines }, (_, index) => `line ${index + 1}`);
  for (let sent = 0; sent < lines; sent += atOnce) {
    const adds = notes.slice(sent, sent + atOnce).map(async (note) => {
      const body = { item_id, special_instructions: note };
      const answer = await send(shopper, { method: "POST", path: "/cart/items", body });
      expect(answer.status).toBe(200);
    });
    await Promise.all(adds);
  }
  const answer = await shopper.ask("GET", "/cart");
  const shown = cartIn(answer);
  const filled = filledWith(
    world,
    shown.items.map(({ special_instructions }) => special_instructions),
  );
  expect(toldCart(shown, shopper)).toEqual(viewOf(world.shop, filled));
  expect(filled.lines).toHaveLength(lines);
  shopper.activity = { ...shopper.activity, addedAt: Date.now() };
  shopper.cart = named(filled, shown);
  shopper.seen = textOf(answer);
}

/** The cart of the model with a line for each of the notes, in their order. */
function filledWith(world: World, notes: readonly (string | null)[]): Cart {
  const moment = { shop: world.shop, now: Date.now(), quotes: [], others: [] };
  const nothing = { variantId: null, locationId: null, planId: null, start: null };
  const plain = { ...nothing, productId: plainOf(world), optionIds: [], selections: [] };
  return notes.reduce<Cart>((cart, note) => {
    const added = { configuration: { ...plain, note }, quantity: 1, quote: null };
    const outcome = afterAdd(moment, cart, added);
    return outcome.type === "written" ? (outcome.carts[0] ?? cart) : cart;
  }, emptyCart);
}

const plainOf = ({ goods }: World): string => goods[0]?.product.id ?? "";
