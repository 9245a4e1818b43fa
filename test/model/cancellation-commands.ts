/**
 * Cancellations return the stock and the slots of an order
 * (docs/contract/storefront.md#order-cancellation).
 */
import fc from "fast-check";
import { expect } from "vitest";
import { dataOf } from "../support/world.ts";
import { isReplay } from "./cart-writes.ts";
import { assertTables, dealUses } from "./check-tables.ts";
import type { PlacedCashOrder } from "./checkout-model.ts";
import { assertCartReads, bodyText, changeStock, type Scene, send } from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import { readTables } from "./shop-under-test.ts";
import { createStep, shopperIndex, shopperOf } from "./step.ts";

export const cancellations = fc
  .record({ who: shopperIndex, order: fc.nat(3), isRepeated: fc.boolean() })
  .map((chosen) =>
    createStep(`cancel an order ${JSON.stringify(chosen)}`, async (scene) => {
      const order = scene.sold[chosen.order % Math.max(scene.sold.length, 1)];
      if (!order) return;
      // Everybody with the order's token may cancel it.
      const shopper = shopperOf(scene, chosen.who);
      const request = {
        method: "POST",
        path: `/orders/${order.id}/cancel?token=${order.token}`,
        body: { reason: "Found elsewhere" },
      };
      const key = `cancel-${order.id}`;
      const answer = await send(shopper, request, key);
      expect(answer.status, bodyText(answer)).toBe(200);
      expect(dataOf(answer)).toMatchObject({ id: order.id, status: "cancelled" });
      if (chosen.isRepeated) {
        const again = await send(shopper, request, key);
        expect(bodyText(again)).toBe(bodyText(answer));
        expect(isReplay(again)).toBe(true);
        const withoutKey = await send(shopper, request);
        expect(withoutKey).toMatchObject({
          status: 422,
          body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" } } },
        });
      }
      scene.sold = scene.sold.filter((one) => one !== order);
      changeStock(scene, await shopAfterCancellation(scene, order));
      for (const one of scene.shoppers) await assertCartReads(one);
      await assertTables(scene);
    }),
  );

/** The contract does not say whether a cancellation returns deal uses: either is accepted. */
async function shopAfterCancellation(
  { shop, world }: Scene,
  order: PlacedCashOrder,
): Promise<Shop> {
  const without = { ...shop, stock: stockAfter(shop, order), bookings: bookingsAfter(shop, order) };
  const { uses } = await readTables(world);
  const returned = { ...without, deals: dealsAfter(shop, order) };
  return JSON.stringify(uses) === JSON.stringify(dealUses(returned, uses)) ? returned : without;
}

function stockAfter({ stock }: Shop, { taken }: PlacedCashOrder): Shop["stock"] {
  const levels = { ...stock };
  for (const { item, locationId, quantity } of taken) {
    const level = levels[item]?.[locationId];
    const reserved = (level?.reserved ?? 0) - quantity;
    if (level) levels[item] = { ...levels[item], [locationId]: { ...level, reserved } };
  }
  return levels;
}

const bookingsAfter = ({ bookings }: Shop, order: PlacedCashOrder) =>
  bookings.filter((one) => !order.bookings.includes(one));

const dealsAfter = ({ deals }: Shop, order: PlacedCashOrder): Shop["deals"] =>
  deals.map((deal) => {
    const index = order.deals.includes(deal.id) ? deal.usedBy.indexOf(order.customer) : -1;
    return index < 0 ? deal : { ...deal, usedBy: deal.usedBy.toSpliced(index, 1) };
  });
