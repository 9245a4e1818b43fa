import { beforeEach, describe, expect, it, vi } from "vitest";
import { givenProduct } from "../support/catalogue.ts";
import { dataOf } from "../support/orders.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  book,
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

describe("POST /cart/items of a service", () => {
  it("puts its times into the line, and holds its place", async () => {
    const service = await givenService(shop, { capacity: 3, buffer_minutes: 15 });
    const answer = await book(ask, service, at(9), { quantity: 2 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(dataOf(answer).item).toMatchObject({
      item_id: service.product_id,
      quantity: 2,
      line_total: "160.00",
      scheduled_start: at(9),
      scheduled_end: at(10),
      staff_id: null,
    });
    expect(await claimsOf(shop)).toEqual([["hold", 2, at(9)]]);
    expect(await had(ask("GET", "/cart"))).toMatchObject({
      items: [{ scheduled_start: at(9), scheduled_end: at(10) }],
    });
  });

  it("takes any offset, an end that is right, and a variant's own length", async () => {
    const service = await givenService(shop, {
      variants: [
        { name: "Short", is_default: true },
        { name: "Long", duration_minutes: 90 },
      ],
    });
    const long = service.variants.find(({ name }: { name: string }) => name === "Long").id;
    const answer = await book(ask, service, "2030-05-06T10:00:00+01:00", {
      variant_id: long,
      scheduled_end: at(10, 30),
    });
    expect(dataOf(answer).item).toMatchObject({
      variant_id: long,
      scheduled_start: at(9),
      scheduled_end: at(10, 30),
    });
  });

  it.each([
    ["no times", {}],
    ["an end without a start", { scheduled_end: at(10) }],
    ["an end that is not the service's", { scheduled_start: at(9), scheduled_end: at(11) }],
  ])("is SLOT_INVALID with %s", async (_, times) => {
    const service = await givenService(shop);
    const body = { item_id: service.product_id, ...times };
    expect(ruleOf(await ask("POST", "/cart/items", { body }))).toEqual([422, "SLOT_INVALID"]);
    expect(await claimsOf(shop)).toEqual([]);
  });

  it("is SLOT_INVALID with a billing plan: a time is booked once", async () => {
    const plan = { name: "Weekly", interval: "week", price: "70" };
    const { id } = await had(merchant(shop)("POST", "/billing-plans", { body: plan }));
    const service = await givenService(shop, { billing_plan_ids: [id] });
    const answer = await book(ask, service, at(9), { billing_plan_id: id });
    expect(ruleOf(answer)).toEqual([422, "SLOT_INVALID"]);
    expect(await claimsOf(shop)).toEqual([]);
  });

  it.each([
    ["outside hours", at(7), "OUTSIDE_HOURS"],
    ["between two slots", at(9, 17), "OUTSIDE_HOURS"],
    ["in the past", "2030-05-05T09:00:00Z", "TOO_SOON"],
    ["beyond the window", "2030-12-06T09:00:00Z", "TOO_LATE"],
  ])("is SLOT_UNAVAILABLE %s", async (_, when, reason) => {
    const answer = await book(ask, await givenService(shop), when);
    expect(answer.body).toMatchObject({
      error: { context: { rule: "SLOT_UNAVAILABLE", reason } },
    });
    expect(await claimsOf(shop)).toEqual([]);
    expect((await had(ask("GET", "/cart"))).items).toEqual([]);
  });

  it("refuses times of what is no service", async () => {
    const tea = await givenProduct(shop);
    for (const times of [{ scheduled_start: at(9) }, { staff_id: "stf_any" }]) {
      const answer = await ask("POST", "/cart/items", { body: { item_id: tea.id, ...times } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field: "scheduled_start" } } },
      });
    }
  });

  it("is 404 for a staff member who does not give it", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama] });
    expect((await book(ask, service, at(9), { staff_id: kofi })).status).toBe(404);
    expect((await book(ask, service, at(9), { staff_id: ama })).status).toBe(200);
  });

  it("needs a location where the service has several", async () => {
    const home = shop.business.locations[0]?.id ?? "";
    const second = await had(merchant(shop)("POST", "/locations", { body: { name: "Second" } }));
    later(1); // by then every isolate knows of it
    const service = await givenService(shop, { location_ids: [home, second.id] });
    expect(await book(ask, service, at(9))).toMatchObject({
      status: 400,
      body: { error: { context: { field: "location_id" } } },
    });
    const answer = await book(ask, service, at(9), { location_id: home });
    expect(dataOf(answer).item.location_id).toBe(home);
  });

  it("is one line for one time and another for another", async () => {
    const service = await givenService(shop, { capacity: 4 });
    await had(book(ask, service, at(9)));
    await had(book(ask, service, at(9), { scheduled_end: at(10) }));
    const { items } = await had(book(ask, service, at(10)));
    expect(items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 1]);
    expect(await claimsOf(shop)).toEqual([
      ["hold", 2, at(9)],
      ["hold", 1, at(10)],
    ]);
  });

  it("does not take more than the service, the staff or the resources have", async () => {
    const room = await givenResource(shop, 2);
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const yoga = await givenService(shop, { capacity: 9, resource_ids: [room] });
    const cut = await givenService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await givenService(shop, { name: "Wash", staff_ids: [ama, kofi] });
    const braids = await givenService(shop, { name: "Braids", staff_ids: [ama, kofi] });
    const others = () => shopper(shop);
    expect((await book(others(), yoga, at(9), { quantity: 2 })).status).toBe(200);
    expect(ruleOf(await book(others(), yoga, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await book(others(), cut, at(9))).status).toBe(200);
    expect(ruleOf(await book(others(), cut, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await book(others(), wash, at(9))).status).toBe(200);
    const last = await book(others(), braids, at(9));
    expect(last.body).toMatchObject({ error: { context: { reason: "STAFF_UNAVAILABLE" } } });
  });

  it("costs a read and a write, and no more when everything is cold", async () => {
    const service = await givenService(shop, { capacity: 5 });
    expect(roundTrips(await book(ask, service, at(9)))).toMatchObject({ d1: 3, do: 1 });
    expect(roundTrips(await book(ask, service, at(9)))).toMatchObject({ d1: 2, do: 1 });
  });

  it("is repeated under its key, and holds nothing twice", async () => {
    const service = await givenService(shop);
    const body = { item_id: service.product_id, scheduled_start: at(9) };
    const options = { body, headers: { "Idempotency-Key": crypto.randomUUID() } };
    const first = await ask("POST", "/cart/items", options);
    const again = await ask("POST", "/cart/items", options);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(await claimsOf(shop)).toEqual([["hold", 1, at(9)]]);
  });
});
