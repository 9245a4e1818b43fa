import { expect, it } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant } from "../support/world.ts";

const threshold = 5;

async function givenShelf() {
  const shop = await givenBusiness();
  const product = await givenProduct(shop, { defaultPriceMinor: 1_000, inventoryType: "tracked" });
  const ask = merchant(shop);
  const [location] = dataOf(await ask("GET", "/locations")).items;
  const path = `/inventory/${product.id}/locations/${location.id}`;
  return {
    set: (quantity_on_hand: number) =>
      ask("PUT", path, { body: { quantity_on_hand, low_stock_threshold: threshold } }),
    adjust: (delta: number) =>
      ask("POST", `${path}/adjustments`, { body: { delta, reason: "count" } }),
    sell: (quantity: number) => givenSale(shop, product.id, { quantity }),
    cancel: ({ id }: { id: string }) => ask("POST", `/orders/${id}/cancel`, { body: {} }),
    /** The available pieces that each event told of. */
    told: async () =>
      (
        await rowsOf(
          shop,
          "select data from events where business_id = ? and type = 'inventory.low_stock' order by id",
          shop.business.id,
        )
      ).map(({ data }) => JSON.parse(String(data)).quantity_available),
  };
}

type Shelf = Awaited<ReturnType<typeof givenShelf>>;

const falls: readonly (readonly [how: string, fall: (shelf: Shelf) => Promise<unknown>])[] = [
  ["a sale", ({ sell }) => sell(2)],
  ["an adjustment", ({ adjust }) => adjust(-2)],
  ["a stocktake", ({ set }) => set(4)],
];

it.each(falls)("%s that takes stock below its threshold is told of once", async (_, fall) => {
  const shelf = await givenShelf();
  await shelf.set(6);
  expect(await shelf.told()).toEqual([]);
  await fall(shelf);
  expect(await shelf.told()).toEqual([4]);
  await shelf.sell(1);
  await shelf.adjust(-1);
  expect(await shelf.told()).toEqual([4]);
});

it("falling to the threshold is not below it", async () => {
  const shelf = await givenShelf();
  await shelf.set(threshold);
  await shelf.adjust(1);
  await shelf.adjust(-1);
  expect(await shelf.told()).toEqual([]);
});

it.each([
  { to: 5, again: false },
  { to: 6, again: true },
])(
  "after a rise to $to, with a threshold of 5, the next fall is told: $again",
  async ({ to, again }) => {
    const shelf = await givenShelf();
    await shelf.set(4);
    await shelf.set(to);
    await shelf.set(3);
    expect(await shelf.told()).toEqual(again ? [4, 3] : [4]);
  },
);

it("pieces that a cancelled order gives back count as a rise", async () => {
  const shelf = await givenShelf();
  await shelf.set(8);
  const sale = await shelf.sell(4);
  expect(await shelf.told()).toEqual([4]);
  await shelf.cancel(sale);
  await shelf.sell(5);
  expect(await shelf.told()).toEqual([4, 3]);
});
