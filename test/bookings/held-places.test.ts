import { beforeEach, describe, expect, it, vi } from "vitest";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  book,
  checkOut,
  claimsOf,
  givenResource,
  givenService,
  givenShop,
  givenStaff,
  had,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let ask: Ask;

beforeEach(async () => {
  shop = await givenShop();
  ask = shopper(shop);
});

const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** A line in the middle that others, each within what was left, overlap on both sides: together they are more than fit. */
async function givenCrowded({ quantity = 1, fields = {} } = {}) {
  const service = await givenService(shop, { slot_interval_minutes: 30, ...fields });
  await had(book(shopper(shop), service, at(9)));
  const { item } = await had(book(ask, service, at(9, 30), { quantity }));
  await had(book(shopper(shop), service, at(10)));
  return {
    service,
    change: (to: number) => ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: to } }),
  };
}

describe("a place that a cart holds", () => {
  it("is its booking's, whoever came to overlap it since", async () => {
    await givenCrowded({ fields: { capacity: 2 } });
    const answer = await checkOut(ask);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await claimsOf(shop)).toEqual([
      ["hold", 1, at(9)],
      ["booking", 1, at(9, 30)],
      ["hold", 1, at(10)],
    ]);
  });

  it("can be renewed and made smaller among them, and not larger", async () => {
    const room = await givenResource(shop, 3);
    const { change } = await givenCrowded({
      quantity: 2,
      fields: { capacity: 3, resource_ids: [room] },
    });
    expect((await change(2)).status).toBe(200);
    expect(ruleOf(await change(3))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await change(1)).status).toBe(200);
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("is asked for again once the hold has ended", async () => {
    const service = await givenService(shop, { slot_interval_minutes: 30, capacity: 2 });
    await had(book(ask, service, at(9, 30)));
    later(5);
    await had(book(shopper(shop), service, at(9)));
    await had(book(shopper(shop), service, at(10)));
    later(6);
    expect(ruleOf(await checkOut(ask))).toEqual([422, "SLOT_UNAVAILABLE"]);
  });

  it("is kept from a variant with more places", async () => {
    const service = await givenService(shop, {
      variants: [
        { name: "Alone", capacity: 1, is_default: true },
        { name: "Group", capacity: 5 },
      ],
    });
    const group = service.variants.find(({ name }: { name: string }) => name === "Group").id;
    await had(book(ask, service, at(9)));
    await had(book(shopper(shop), service, at(9), { variant_id: group }));
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("is given by whom it was held of", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const staff_ids = [ama, kofi];
    const [cut, wash] = [
      await givenService(shop, { name: "Cut", staff_ids }),
      await givenService(shop, { name: "Wash", staff_ids }),
    ];
    const other = shopper(shop);
    await had(book(other, wash, at(9))); // Ama's
    await had(book(ask, cut, at(9))); // so it is Kofi's
    await had(other("DELETE", "/cart"));
    await had(book(ask, wash, at(9), { staff_id: ama }));
    const { order_id, bill_token } = await had(checkOut(ask));
    const { bookings } = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    const givenBy = (name: string) =>
      bookings.find((one: { service_name: string }) => one.service_name === name).staff_id;
    expect([givenBy("Cut"), givenBy("Wash")]).toEqual([kofi, ama]);
  });

  it("is given by another, once the hold has ended and whom it was held of is taken", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const cut = await givenService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await givenService(shop, { name: "Wash", staff_ids: [ama] });
    await had(book(ask, cut, at(9))); // Ama's
    later(11);
    await had(book(shopper(shop), wash, at(9)));
    const { order_id, bill_token } = await had(checkOut(ask));
    const { bookings } = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    expect(bookings).toMatchObject([{ staff_id: kofi }]);
  });

  it("is booked in its ten minutes though the notice has run out, not once the slot began", async () => {
    const service = await givenService(shop, { min_notice_minutes: 120 });
    await had(book(ask, service, at(8)));
    later(9);
    expect((await checkOut(ask)).status).toBe(200);
    const soon = await givenService(shop, { name: "Walk-in" });
    vi.setSystemTime(Date.parse(at(8, 55)));
    await had(book(ask, soon, at(9)));
    later(6);
    const answer = await checkOut(ask);
    expect(answer.body).toMatchObject({ error: { context: { reason: "TOO_SOON" } } });
  });

  it("that is smaller by now is claimed anew", async () => {
    const { service } = await givenCrowded({ fields: { capacity: 3 } });
    const smaller = { body: { capacity: 2 } };
    await had(merchant(shop)("PATCH", `/services/${service.id}`, smaller));
    const answer = await checkOut(ask);
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(dataOf(await ask("GET", "/cart")).item_count).toBe(1);
  });
});

describe("a hold", () => {
  it("ends after ten minutes, and then the place is another's", async () => {
    const service = await givenService(shop);
    const other = shopper(shop);
    await had(book(ask, service, at(9)));
    later(9);
    expect(ruleOf(await book(other, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    later(1);
    expect((await book(other, service, at(9))).status).toBe(200);
  });

  it("follows the quantity of its line, and is given back with it", async () => {
    const service = await givenService(shop, { capacity: 3 });
    const { item } = await had(book(ask, service, at(9)));
    const change = (quantity: number) =>
      ask("PATCH", `/cart/items/${item.id}`, { body: { quantity } });
    await had(change(3));
    expect(await claimsOf(shop)).toEqual([["hold", 3, at(9)]]);
    expect(ruleOf(await change(4))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await claimsOf(shop)).toEqual([["hold", 3, at(9)]]);
    await had(change(2));
    expect(await claimsOf(shop)).toEqual([["hold", 2, at(9)]]);
    await had(ask("DELETE", `/cart/items/${item.id}`));
    expect(await claimsOf(shop)).toEqual([]);
  });

  it("is given back with the whole cart", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    await had(book(ask, service, at(10)));
    await had(ask("DELETE", "/cart"));
    expect(await claimsOf(shop)).toEqual([]);
  });

  it("is swept once it has ended, and nothing else is", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    later(8);
    await had(book(ask, service, at(10)));
    later(3);
    await tick();
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(10)]]);
    expect(
      await rowsOf(
        shop,
        "explain query plan select id from slot_claims where expires_at is not null and expires_at <= 1 order by expires_at limit 5",
      ),
    ).toMatchObject([{ detail: expect.stringContaining("slot_claims_expiring") }]);
  });
});
