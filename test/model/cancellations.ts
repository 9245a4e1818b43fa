/** What was bought comes back (completions.md 6, cancelled): its pieces, and the places of its bookings. */
import fc from "fast-check";
import { expect } from "vitest";
import { ledgerOf } from "./cart-world.ts";
import type { Sold } from "./checkout-model.ts";
import { demandLedger, usesOf } from "./ledger.ts";
import { dataOf, readAllWays, restocked, type Scene, send, textOf } from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import { shopperOf, step, who } from "./step.ts";
import { isReplay } from "./writes.ts";

export const cancellations = fc
  .record({ who, order: fc.nat(3), isRepeated: fc.boolean() })
  .map((chosen) =>
    step(`cancel an order ${JSON.stringify(chosen)}`, async (scene) => {
      const order = scene.sold[chosen.order % Math.max(scene.sold.length, 1)];
      if (!order) return;
      // Whoever has its token may.
      const shopper = shopperOf(scene, chosen.who);
      const request = {
        method: "POST",
        path: `/orders/${order.id}/cancel?token=${order.token}`,
        body: { reason: "Found elsewhere" },
      };
      const key = `cancel-${order.id}`;
      const answer = await send(shopper, request, key);
      expect(answer.status, textOf(answer)).toBe(200);
      expect(dataOf(answer)).toMatchObject({ id: order.id, status: "cancelled" });
      if (chosen.isRepeated) {
        const again = await send(shopper, request, key);
        expect(textOf(again)).toBe(textOf(answer));
        expect(isReplay(again)).toBe(true);
        const anew = await send(shopper, request);
        expect(anew).toMatchObject({
          status: 422,
          body: { error: { context: { rule: "ORDER_NOT_CANCELLABLE" } } },
        });
      }
      scene.sold = scene.sold.filter((one) => one !== order);
      restocked(scene, await afterwards(scene, order));
      for (const one of scene.shoppers) await readAllWays(one);
      await demandLedger(scene);
    }),
  );

/** Whether the uses of its deals are given back is not said: one or the other. */
async function afterwards({ shop, world }: Scene, order: Sold): Promise<Shop> {
  const without = { ...shop, stock: stockAfter(shop, order), bookings: bookingsAfter(shop, order) };
  const { uses } = await ledgerOf(world);
  const returned = { ...without, deals: dealsAfter(shop, order) };
  return JSON.stringify(uses) === JSON.stringify(usesOf(returned, uses)) ? returned : without;
}

function stockAfter({ stock }: Shop, { taken }: Sold): Shop["stock"] {
  const levels = { ...stock };
  for (const { item, locationId, quantity } of taken) {
    const level = levels[item]?.[locationId];
    const reserved = (level?.reserved ?? 0) - quantity;
    if (level) levels[item] = { ...levels[item], [locationId]: { ...level, reserved } };
  }
  return levels;
}

const bookingsAfter = ({ bookings }: Shop, order: Sold) =>
  bookings.filter((one) => !order.bookings.includes(one));

const dealsAfter = ({ deals }: Shop, order: Sold): Shop["deals"] =>
  deals.map((deal) => {
    const place = order.deals.includes(deal.id) ? deal.usedBy.indexOf(order.customer) : -1;
    return place < 0 ? deal : { ...deal, usedBy: deal.usedBy.toSpliced(place, 1) };
  });
