import { beforeEach, describe, expect, it } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { dataOf, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  createBookingShop,
  createResource,
  createService,
  createStaffMember,
  listSlotAllocations,
  requireData,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = shopper(shop);
});

describe("POST /cart/items of a service", () => {
  it("sets the times of the line and holds the slot", async () => {
    const service = await createService(shop, { capacity: 3, buffer_minutes: 15 });
    const answer = await addSlotToCart(ask, service, at(9), { quantity: 2 });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(dataOf(answer).item).toMatchObject({
      item_id: service.product_id,
      quantity: 2,
      line_total: "160.00",
      scheduled_start: at(9),
      scheduled_end: at(10),
      staff_id: null,
    });
    expect(await listSlotAllocations(shop)).toEqual([["hold", 2, at(9)]]);
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      items: [{ scheduled_start: at(9), scheduled_end: at(10) }],
    });
  });

  it("accepts any UTC offset, a correct end and the duration of a variant", async () => {
    const service = await createService(shop, {
      variants: [
        { name: "Short", is_default: true },
        { name: "Long", duration_minutes: 90 },
      ],
    });
    const long = service.variants.find(({ name }: { name: string }) => name === "Long").id;
    const answer = await addSlotToCart(ask, service, "2030-05-06T10:00:00+01:00", {
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
  ])("refuses %s with SLOT_INVALID", async (_, times) => {
    const service = await createService(shop);
    const body = { item_id: service.product_id, ...times };
    expect(ruleOf(await ask("POST", "/cart/items", { body }))).toEqual([422, "SLOT_INVALID"]);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("refuses a billing plan with SLOT_INVALID", async () => {
    const plan = { name: "Weekly", interval: "week", price: "70" };
    const { id } = await requireData(merchant(shop)("POST", "/billing-plans", { body: plan }));
    const service = await createService(shop, { billing_plan_ids: [id] });
    const answer = await addSlotToCart(ask, service, at(9), { billing_plan_id: id });
    expect(ruleOf(answer)).toEqual([422, "SLOT_INVALID"]);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it.each([
    ["outside hours", at(7), "OUTSIDE_HOURS"],
    ["between two slots", at(9, 17), "OUTSIDE_HOURS"],
    ["in the past", "2030-05-05T09:00:00Z", "TOO_SOON"],
    ["after the booking window", "2030-12-06T09:00:00Z", "TOO_LATE"],
  ])("refuses a time %s with SLOT_UNAVAILABLE", async (_, when, reason) => {
    const answer = await addSlotToCart(ask, await createService(shop), when);
    expect(answer.body).toMatchObject({
      error: { context: { rule: "SLOT_UNAVAILABLE", reason } },
    });
    expect(await listSlotAllocations(shop)).toEqual([]);
    expect((await requireData(ask("GET", "/cart"))).items).toEqual([]);
  });

  it("refuses times for a product that is not a service", async () => {
    const tea = await createProduct(shop);
    for (const times of [{ scheduled_start: at(9) }, { staff_id: "stf_any" }]) {
      const answer = await ask("POST", "/cart/items", { body: { item_id: tea.id, ...times } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field: "scheduled_start" } } },
      });
    }
  });

  it("returns 404 for a staff member who does not provide the service", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama] });
    expect((await addSlotToCart(ask, service, at(9), { staff_id: kofi })).status).toBe(404);
    expect((await addSlotToCart(ask, service, at(9), { staff_id: ama })).status).toBe(200);
  });

  it("merges the same time into one line and keeps different times apart", async () => {
    const service = await createService(shop, { capacity: 4 });
    await requireData(addSlotToCart(ask, service, at(9)));
    await requireData(addSlotToCart(ask, service, at(9), { scheduled_end: at(10) }));
    const { items } = await requireData(addSlotToCart(ask, service, at(10)));
    expect(items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 1]);
    expect(await listSlotAllocations(shop)).toEqual([
      ["hold", 2, at(9)],
      ["hold", 1, at(10)],
    ]);
  });

  it("refuses more than the service, its staff or its resources can take", async () => {
    const room = await createResource(shop, 2);
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const yoga = await createService(shop, { capacity: 9, resource_ids: [room] });
    const cut = await createService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await createService(shop, { name: "Wash", staff_ids: [ama, kofi] });
    const braids = await createService(shop, { name: "Braids", staff_ids: [ama, kofi] });
    const others = () => shopper(shop);
    expect((await addSlotToCart(others(), yoga, at(9), { quantity: 2 })).status).toBe(200);
    expect(ruleOf(await addSlotToCart(others(), yoga, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await addSlotToCart(others(), cut, at(9))).status).toBe(200);
    expect(ruleOf(await addSlotToCart(others(), cut, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await addSlotToCart(others(), wash, at(9))).status).toBe(200);
    const last = await addSlotToCart(others(), braids, at(9));
    expect(last.body).toMatchObject({ error: { context: { reason: "STAFF_UNAVAILABLE" } } });
  });

  it("takes two D1 round trips, and three with cold caches", async () => {
    const service = await createService(shop, { capacity: 5 });
    expect(roundTrips(await addSlotToCart(ask, service, at(9)))).toMatchObject({ d1: 3, do: 1 });
    expect(roundTrips(await addSlotToCart(ask, service, at(9)))).toMatchObject({ d1: 2, do: 1 });
  });

  it("replays a request with the same Idempotency-Key and holds the slot once", async () => {
    const service = await createService(shop);
    const body = { item_id: service.product_id, scheduled_start: at(9) };
    const options = { body, headers: { "Idempotency-Key": crypto.randomUUID() } };
    const first = await ask("POST", "/cart/items", options);
    const again = await ask("POST", "/cart/items", options);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(9)]]);
  });
});
