import { expect } from "vitest";
import { ledgerOf } from "./cart-world.ts";
import { inOrder } from "./checkout-model.ts";
import type { Scene } from "./scene.ts";
import { isHolding } from "./times.ts";

/** The tables hold what the model holds: orders, stock, uses of deals, places. */
export async function demandLedger(scene: Scene): Promise<void> {
  const { shop, orders, world } = scene;
  const uses = Object.fromEntries(shop.deals.map(({ id, usedBy }) => [id, usedBy.length]));
  const claims = claimsOf(scene);
  const ledger = { orders, stock: shop.stock, uses, subscriptions: 0, claims };
  expect(await ledgerOf(world)).toEqual(ledger);
}

/** What is booked, and what lines in carts still hold. */
function claimsOf({ shop, shoppers }: Pick<Scene, "shop" | "shoppers">) {
  const now = Date.now();
  const lines = shoppers.flatMap(({ cart }) => cart.lines.filter((line) => isHolding(line, now)));
  return inOrder([
    ...shop.bookings.map(({ start, participants }) => ({ kind: "booking", start, participants })),
    ...lines.map(({ configuration: { start }, quantity }) => ({
      kind: "hold",
      start,
      participants: quantity,
    })),
  ]);
}
