import { expect } from "vitest";
import { sorted } from "./checkout-model.ts";
import { sentWarnings } from "./low-stock-model.ts";
import type { Scene } from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import { readTables } from "./shop-under-test.ts";
import { isHolding } from "./slot-model.ts";

/** Asserts that the tables match the model: orders, stock, deal uses, slot claims. */
export async function assertTables(scene: Scene): Promise<void> {
  const { shop, orders, world } = scene;
  const claims = slotClaimsOf(scene);
  const { lowStockEvents, ...found } = await readTables(world);
  if (!scene.isReplaced) expect(lowStockEvents).toEqual(sentWarnings(scene.warnings));
  const uses = dealUses(shop, found.uses);
  expect(found).toEqual({ orders, stock: shop.stock, uses, subscriptions: 0, claims });
}

/** The uses of each deal, in the order of the other object. */
export const dealUses = (
  { deals }: Pick<Shop, "deals">,
  inOrder: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...inOrder,
  ...Object.fromEntries(deals.map(({ id, usedBy }) => [id, usedBy.length])),
});

/** Slot claims of bookings and of valid holds in carts. */
function slotClaimsOf({ shop, shoppers }: Pick<Scene, "shop" | "shoppers">) {
  const now = Date.now();
  const lines = shoppers.flatMap(({ cart }) => cart.lines.filter((line) => isHolding(line, now)));
  return sorted([
    ...shop.bookings.map(({ start, participants }) => ({ kind: "booking", start, participants })),
    ...lines.map(({ configuration: { start }, quantity }) => ({
      kind: "hold",
      start,
      participants: quantity,
    })),
  ]);
}
