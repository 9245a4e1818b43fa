import { expect } from "vitest";
import { type Cart, cartView, emptyCart } from "./cart-model.ts";
import { afterAdd } from "./cart-rules.ts";
import { bodyText, cartOf, type Shopper, send, toCartView, withLineIds } from "./scene.ts";
import type { ShopUnderTest } from "./shop-under-test.ts";

/** Additions are sent concurrently; their order is open. */
const concurrentAdds = 11;

/** Fills an empty cart with so many lines of one product, each with its own note. */
export async function fillCart(
  shopper: Shopper,
  world: ShopUnderTest,
  lines: number,
): Promise<void> {
  const item_id = plainProductId(world);
  const notes = Array.from({ length: lines }, (_, index) => `line ${index + 1}`);
  for (let sent = 0; sent < lines; sent += concurrentAdds) {
    const adds = notes.slice(sent, sent + concurrentAdds).map(async (note) => {
      const body = { item_id, special_instructions: note };
      const answer = await send(shopper, { method: "POST", path: "/cart/items", body });
      expect(answer.status).toBe(200);
    });
    await Promise.all(adds);
  }
  const answer = await shopper.ask("GET", "/cart");
  const shown = cartOf(answer);
  const filled = cartWithNotes(
    world,
    shown.items.map(({ special_instructions }) => special_instructions),
  );
  expect(toCartView(shown, shopper)).toEqual(cartView(world.shop, filled));
  expect(filled.lines).toHaveLength(lines);
  shopper.activity = { ...shopper.activity, addedAt: Date.now() };
  shopper.cart = withLineIds(filled, shown);
  shopper.lastCartText = bodyText(answer);
}

/** The model's cart with one line per note, in this order. */
function cartWithNotes(world: ShopUnderTest, notes: readonly (string | null)[]): Cart {
  const moment = { shop: world.shop, now: Date.now(), quotes: [], otherLines: [] };
  const nothing = { variantId: null, locationId: null, planId: null, start: null };
  const plain = { ...nothing, productId: plainProductId(world), optionIds: [], selections: [] };
  return notes.reduce<Cart>((cart, note) => {
    const added = { configuration: { ...plain, note }, quantity: 1, quote: null };
    const outcome = afterAdd(moment, cart, added);
    return outcome.type === "written" ? (outcome.carts[0] ?? cart) : cart;
  }, emptyCart);
}

const plainProductId = ({ goods }: ShopUnderTest): string => goods[0]?.product.id ?? "";
