import { expect } from "vitest";
import { ledgerOf } from "./cart-world.ts";
import { inOrder } from "./checkout-model.ts";
import { toldOf } from "./low-stock.ts";
import type { Scene } from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import { isHolding } from "./times.ts";

/** The tables hold what the model holds: orders, stock, uses of deals, places. */
export async function demandLedger(scene: Scene): Promise<void> {
  const { shop, orders, world } = scene;
  const claims = claimsOf(scene);
  const { told, ...found } = await ledgerOf(world);
  if (!scene.isReplaced) expect(told).toEqual(toldOf(scene.warnings));
  const uses = usesOf(shop, found.uses);
  expect(found).toEqual({ orders, stock: shop.stock, uses, subscriptions: 0, claims });
}

/** How often each deal was used, in the order of the others. */
export const usesOf = (
  { deals }: Pick<Shop, "deals">,
  inOrder: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...inOrder,
  ...Object.fromEntries(deals.map(({ id, usedBy }) => [id, usedBy.length])),
});

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
