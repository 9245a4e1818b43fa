import { describe, expect, it, vi } from "vitest";
import { createBusiness } from "../../support/world.ts";
import { createSale, type FaultySale, start } from "./create-sale.ts";
import { withFailureContext } from "./fault-table.ts";
import type { DatabaseFault } from "./faulty-database.ts";

/** The payment waits for the shopper, so the cart is a new one without lines. */
const waiting = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0241234562", provider: "mtn" },
};

const faults = (["before", "after"] as const).flatMap((when) =>
  (["answer lost", "object dies"] as const).map((how) => ({ when, how })),
);

const units = 2;

/** The units of the order and of the cart: either has them, never both or none. */
async function countUnits(sale: FaultySale) {
  const { orders, stock } = await sale.books();
  const { item_count: inCart } = await sale.cart();
  const isOrdered = orders.some(({ status }) => status !== "cancelled");
  expect(stock?.quantity_reserved).toBe(isOrdered ? units : 0);
  return { inCart, inOrder: isOrdered ? units : 0 };
}

describe.each(faults)("reopening a cart with a fault $when a round trip: $how", (kind) => {
  it.each([
    ["repeated", true],
    ["finished by the alarm", false],
  ])("neither loses nor doubles lines when it is %s", async (_, isRepeated) => {
    vi.setSystemTime(start);
    const shop = await createBusiness();
    let trips = 1;
    for (let at = 1; at <= trips; at += 1) {
      const sale = await createSale(shop, waiting);
      expect((await sale.checkout("key")).status).toBe(200);
      const [order] = (await sale.books()).orders;
      const id = String(order?.id);
      const fault: DatabaseFault = { ...kind, at };
      const faulty = await sale.breakShop(fault);
      await sale.reopenCart(id).catch(() => null);
      if (faulty.count() < at) break;
      trips = at + 1;
      if (kind.how === "answer lost") await sale.mendShop();
      await withFailureContext(`round trip ${at}`, async () => {
        if (isRepeated) {
          expect((await sale.reopenCart(id)).status).toBe(200);
          expect(await countUnits(sale)).toEqual({ inCart: units, inOrder: 0 });
        }
        await sale.ringAlarm();
        await sale.ringAlarm();
        const { inCart, inOrder } = await countUnits(sale);
        expect(inCart + inOrder).toBe(units);
      });
    }
    expect(trips).toBeGreaterThan(2);
  });
});
