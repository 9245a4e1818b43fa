import { expect, it } from "vitest";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

const threshold = 5;

async function createShelf() {
  const shop = await createBusiness();
  const product = await createProduct(shop, { defaultPriceMinor: 1_000, inventoryType: "tracked" });
  const ask = merchant(shop);
  const [location] = dataOf(await ask("GET", "/locations")).items;
  const path = `/inventory/${product.id}/locations/${location.id}`;
  return {
    set: (quantity_on_hand: number) =>
      ask("PUT", path, { body: { quantity_on_hand, low_stock_threshold: threshold } }),
    adjust: (delta: number) =>
      ask("POST", `${path}/adjustments`, { body: { delta, reason: "count" } }),
    sell: (quantity: number) => createOrder(shop, product.id, { quantity }),
    cancel: ({ id }: { id: string }) => ask("POST", `/orders/${id}/cancel`, { body: {} }),
    complete: ({ id }: { id: string }) =>
      ask("POST", `/orders/${id}/status`, { body: { status: "completed" } }),
    refundWithRestock: ({ id }: { id: string }) =>
      ask("POST", `/orders/${id}/refunds`, { body: { restock: true } }),
    /** The available quantity in each event. */
    findEventQuantities: async () =>
      (
        await selectRows(
          shop,
          "select data from events where business_id = ? and type = 'inventory.low_stock' order by id",
          shop.business.id,
        )
      ).map(({ data }) => JSON.parse(String(data)).quantity_available),
  };
}

type Shelf = Awaited<ReturnType<typeof createShelf>>;

const decreases: readonly (readonly [how: string, decrease: (shelf: Shelf) => Promise<unknown>])[] =
  [
    ["a sale", ({ sell }) => sell(2)],
    ["an adjustment", ({ adjust }) => adjust(-2)],
    ["a stocktake", ({ set }) => set(4)],
  ];

it.each(decreases)(
  "sends one event when %s takes stock below its threshold",
  async (_, decrease) => {
    const shelf = await createShelf();
    await shelf.set(6);
    expect(await shelf.findEventQuantities()).toEqual([]);
    await decrease(shelf);
    expect(await shelf.findEventQuantities()).toEqual([4]);
    await shelf.sell(1);
    await shelf.adjust(-1);
    expect(await shelf.findEventQuantities()).toEqual([4]);
  },
);

it("sends no event at the threshold", async () => {
  const shelf = await createShelf();
  await shelf.set(threshold);
  await shelf.adjust(1);
  await shelf.adjust(-1);
  expect(await shelf.findEventQuantities()).toEqual([]);
});

it.each([
  { to: 5, again: false },
  { to: 6, again: true },
])(
  "sends another event after a rise to $to with a threshold of 5: $again",
  async ({ to, again }) => {
    const shelf = await createShelf();
    await shelf.set(4);
    await shelf.set(to);
    await shelf.set(3);
    expect(await shelf.findEventQuantities()).toEqual(again ? [4, 3] : [4]);
  },
);

it("counts stock released by a cancelled order as a rise", async () => {
  const shelf = await createShelf();
  await shelf.set(8);
  const sale = await shelf.sell(4);
  expect(await shelf.findEventQuantities()).toEqual([4]);
  await shelf.cancel(sale);
  await shelf.sell(5);
  expect(await shelf.findEventQuantities()).toEqual([4, 3]);
});

it("counts the units of a completed order that a refund restocks as a rise", async () => {
  const shelf = await createShelf();
  await shelf.set(8);
  const sale = await shelf.sell(4);
  expect(await shelf.findEventQuantities()).toEqual([4]);
  expect(await shelf.complete(sale)).toMatchObject({ status: 200 });
  expect(await shelf.refundWithRestock(sale)).toMatchObject({ status: 201 });
  await shelf.sell(5);
  expect(await shelf.findEventQuantities()).toEqual([4, 3]);
});
