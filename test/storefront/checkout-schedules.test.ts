import { expect, it, vi } from "vitest";
import type { ScheduleRule } from "../../shared/catalogue/index.ts";
import { weekdays } from "../../shared/kernel/index.ts";
import { createProduct } from "../support/create-product.ts";
import { valueAt } from "../support/responses.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

const noon = Date.parse("2030-05-01T12:00:00Z");

const lunch: ScheduleRule = {
  id: "rule_1",
  locationId: null,
  days: weekdays,
  startTime: "11:00",
  endTime: "14:00",
  timezone: "Africa/Accra",
  startsOn: null,
  endsOn: null,
};

/** Creates a business with a second location, and a shopper's calls. */
async function createScheduledCart() {
  vi.setSystemTime(noon);
  const shop = await createBusiness();
  const body = { name: "Osu" };
  const osu = String(valueAt(await merchant(shop)("POST", "/locations", { body }), "data.id"));
  vi.setSystemTime(noon + 6_000);
  const ask = shopper(shop);
  const add = (item: object) => ask("POST", "/cart/items", { body: item });
  const checkout = (cart_id: string) =>
    ask("POST", "/checkout", {
      body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
  return { shop, osu, ask, add, checkout, home: shop.business.locations[0]?.id ?? "" };
}

const itemUnavailable = (...items: string[]) => ({
  status: 422,
  body: { error: { context: { rule: "ITEM_UNAVAILABLE", items } } },
});

it("rejects a product outside its schedule and keeps it in the cart", async () => {
  const { shop, ask, add, checkout } = await createScheduledCart();
  const soup = await createProduct(shop, { name: "Soup", schedules: [lunch] });
  const tea = await createProduct(shop);
  vi.setSystemTime(noon + 8 * 3_600_000);
  await add({ item_id: tea.id });
  const { id } = dataOf(await add({ item_id: soup.id }));
  expect(await checkout(id)).toMatchObject(itemUnavailable("Soup"));
  expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ id, item_count: 2 });
  vi.setSystemTime(noon + 24 * 3_600_000);
  expect(await checkout(id)).toMatchObject({ status: 200 });
});

it("applies a location's schedule to the location of the order", async () => {
  const { shop, ask, add, checkout, osu, home } = await createScheduledCart();
  const [there, here] = [
    await createProduct(shop, { name: "There", schedules: [{ ...lunch, locationId: osu }] }),
    await createProduct(shop, { name: "Here", schedules: [{ ...lunch, locationId: home }] }),
  ];
  const { id } = dataOf(await add({ item_id: there.id }));
  await add({ item_id: here.id });
  expect(await checkout(id)).toMatchObject(itemUnavailable("There"));
  await add({ item_id: there.id, location_id: osu });
  expect(await checkout(id)).toMatchObject(itemUnavailable("Here"));
  await ask("DELETE", "/cart");
  await add({ item_id: there.id, location_id: osu });
  expect(await checkout(id)).toMatchObject({ status: 200 });
});
