import { expect, it, vi } from "vitest";
import { type ScheduleRule, scheduleDays } from "../../shared/catalogue/index.ts";
import { at } from "../business/given.ts";
import { givenProduct } from "../support/catalogue.ts";
import { type Answer, givenBusiness, merchant, shopper } from "../support/world.ts";

const noon = Date.parse("2030-05-01T12:00:00Z");

const lunch: ScheduleRule = {
  id: "rule_1",
  locationId: null,
  days: scheduleDays,
  startTime: "11:00",
  endTime: "14:00",
  timezone: "Africa/Accra",
  startsOn: null,
  endsOn: null,
};

const dataOf = ({ body }: Answer) => Object(body).data;

/** A shopper of a shop with one more location, and what they buy. */
async function given() {
  vi.setSystemTime(noon);
  const shop = await givenBusiness();
  const body = { name: "Osu" };
  const osu = String(at(await merchant(shop)("POST", "/locations", { body }), "data.id"));
  vi.setSystemTime(noon + 6_000);
  const ask = shopper(shop);
  const add = (item: object) => ask("POST", "/cart/items", { body: item });
  const checkout = (cart_id: string) =>
    ask("POST", "/checkout", {
      body: { cart_id, customer: { phone: "0241234567" }, payment_method: "cash" },
    });
  return { shop, osu, ask, add, checkout, home: shop.business.locations[0]?.id ?? "" };
}

const closed = (...items: string[]) => ({
  status: 422,
  body: { error: { context: { rule: "ITEM_UNAVAILABLE", items } } },
});

it("a product outside its schedule waits in the cart until it is offered", async () => {
  const { shop, ask, add, checkout } = await given();
  const soup = await givenProduct(shop, { name: "Soup", schedules: [lunch] });
  const tea = await givenProduct(shop);
  vi.setSystemTime(noon + 8 * 3_600_000);
  await add({ item_id: tea.id });
  const { id } = dataOf(await add({ item_id: soup.id }));
  expect(await checkout(id)).toMatchObject(closed("Soup"));
  expect(dataOf(await ask("GET", "/cart"))).toMatchObject({ id, item_count: 2 });
  vi.setSystemTime(noon + 24 * 3_600_000);
  expect(await checkout(id)).toMatchObject({ status: 200 });
});

it("a rule of one place holds for the order's location: the line's, or the default", async () => {
  const { shop, ask, add, checkout, osu, home } = await given();
  const [there, here] = [
    await givenProduct(shop, { name: "There", schedules: [{ ...lunch, locationId: osu }] }),
    await givenProduct(shop, { name: "Here", schedules: [{ ...lunch, locationId: home }] }),
  ];
  const { id } = dataOf(await add({ item_id: there.id }));
  await add({ item_id: here.id });
  expect(await checkout(id)).toMatchObject(closed("There"));
  await add({ item_id: there.id, location_id: osu });
  expect(await checkout(id)).toMatchObject(closed("Here"));
  await ask("DELETE", "/cart");
  await add({ item_id: there.id, location_id: osu });
  expect(await checkout(id)).toMatchObject({ status: 200 });
});
