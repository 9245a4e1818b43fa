import { beforeEach, describe, expect, it, vi } from "vitest";
import { createProduct } from "../support/create-product.ts";
import { runAllJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { dataOf, merchant, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  checkOut,
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

const advanceMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/**
 * Creates a hold that other holds overlap on both sides. Each was accepted, but their sum exceeds the
 * capacity.
 */
async function createOverlappedHold({ quantity = 1, fields = {} } = {}) {
  const service = await createService(shop, { slot_interval_minutes: 30, ...fields });
  await requireData(addSlotToCart(shopper(shop), service, at(9)));
  const { item } = await requireData(addSlotToCart(ask, service, at(9, 30), { quantity }));
  await requireData(addSlotToCart(shopper(shop), service, at(10)));
  return {
    service,
    change: (to: number) => ask("PATCH", `/cart/items/${item.id}`, { body: { quantity: to } }),
  };
}

describe("checkout of a held slot", () => {
  it("books the slot although later holds overlap it", async () => {
    await createOverlappedHold({ fields: { capacity: 2 } });
    const answer = await checkOut(ask);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(await listSlotAllocations(shop)).toEqual([
      ["hold", 1, at(9)],
      ["booking", 1, at(9, 30)],
      ["hold", 1, at(10)],
    ]);
  });

  it("allows an overlapped hold to be renewed and reduced, but not increased", async () => {
    const room = await createResource(shop, 3);
    const { change } = await createOverlappedHold({
      quantity: 2,
      fields: { capacity: 3, resource_ids: [room] },
    });
    expect((await change(2)).status).toBe(200);
    expect(ruleOf(await change(3))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect((await change(1)).status).toBe(200);
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("checks the capacity again after the hold expired", async () => {
    const service = await createService(shop, { slot_interval_minutes: 30, capacity: 2 });
    await requireData(addSlotToCart(ask, service, at(9, 30)));
    advanceMinutes(5);
    await requireData(addSlotToCart(shopper(shop), service, at(9)));
    await requireData(addSlotToCart(shopper(shop), service, at(10)));
    advanceMinutes(6);
    expect(ruleOf(await checkOut(ask))).toEqual([422, "SLOT_UNAVAILABLE"]);
  });

  it("keeps the slot from a variant with a larger capacity", async () => {
    const service = await createService(shop, {
      variants: [
        { name: "Alone", capacity: 1, is_default: true },
        { name: "Group", capacity: 5 },
      ],
    });
    const group = service.variants.find(({ name }: { name: string }) => name === "Group").id;
    await requireData(addSlotToCart(ask, service, at(9)));
    await requireData(addSlotToCart(shopper(shop), service, at(9), { variant_id: group }));
    expect((await checkOut(ask)).status).toBe(200);
  });

  it("assigns the staff member who was held", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const staff_ids = [ama, kofi];
    const [cut, wash] = [
      await createService(shop, { name: "Cut", staff_ids }),
      await createService(shop, { name: "Wash", staff_ids }),
    ];
    const other = shopper(shop);
    await requireData(addSlotToCart(other, wash, at(9))); // Ama's
    await requireData(addSlotToCart(ask, cut, at(9))); // so it is Kofi's
    await requireData(other("DELETE", "/cart"));
    await requireData(addSlotToCart(ask, wash, at(9), { staff_id: ama }));
    const { order_id, bill_token } = await requireData(checkOut(ask));
    const { bookings } = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    const givenBy = (name: string) =>
      bookings.find((one: { service_name: string }) => one.service_name === name).staff_id;
    expect([givenBy("Cut"), givenBy("Wash")]).toEqual([kofi, ama]);
  });

  it("assigns another staff member when the hold expired and the first one is taken", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const cut = await createService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await createService(shop, { name: "Wash", staff_ids: [ama] });
    await requireData(addSlotToCart(ask, cut, at(9))); // Ama's
    advanceMinutes(11);
    await requireData(addSlotToCart(shopper(shop), wash, at(9)));
    const { order_id, bill_token } = await requireData(checkOut(ask));
    const { bookings } = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    expect(bookings).toMatchObject([{ staff_id: kofi }]);
  });

  it("allows a checkout within the hold after the minimum notice has passed, but not after the start", async () => {
    const service = await createService(shop, { min_notice_minutes: 120 });
    await requireData(addSlotToCart(ask, service, at(8)));
    advanceMinutes(9);
    expect((await checkOut(ask)).status).toBe(200);
    const soon = await createService(shop, { name: "Walk-in" });
    vi.setSystemTime(Date.parse(at(8, 55)));
    await requireData(addSlotToCart(ask, soon, at(9)));
    advanceMinutes(6);
    const answer = await checkOut(ask);
    expect(answer.body).toMatchObject({ error: { context: { reason: "TOO_SOON" } } });
  });

  it("checks the capacity again when the service's capacity was lowered", async () => {
    const { service } = await createOverlappedHold({ fields: { capacity: 3 } });
    const smaller = { body: { capacity: 2 } };
    await requireData(merchant(shop)("PATCH", `/services/${service.id}`, smaller));
    expect((await checkOut(ask)).status).toBe(503); // the product changed while it was ordered
    const answer = await checkOut(ask);
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(dataOf(await ask("GET", "/cart")).item_count).toBe(1);
  });
});

describe("slot holds", () => {
  it("expire after ten minutes", async () => {
    const service = await createService(shop);
    const other = shopper(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    advanceMinutes(9);
    expect(ruleOf(await addSlotToCart(other, service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    advanceMinutes(1);
    expect((await addSlotToCart(other, service, at(9))).status).toBe(200);
  });

  it("say in their line until when they last, and goods have none", async () => {
    const service = await createService(shop, { capacity: 4 });
    const tea = await createProduct(shop);
    const { item } = await requireData(addSlotToCart(ask, service, at(9)));
    expect(item).toMatchObject({ hold_expires_at: at(6, 10), requires_shipping: false });
    const change = (quantity: number) =>
      requireData(ask("PATCH", `/cart/items/${item.id}`, { body: { quantity } }));
    advanceMinutes(3);
    expect(await change(3)).toMatchObject({ items: [{ hold_expires_at: at(6, 13) }] });
    advanceMinutes(1);
    expect(await change(2)).toMatchObject({ items: [{ hold_expires_at: at(6, 13) }] });
    advanceMinutes(20);
    await requireData(ask("POST", "/cart/items", { body: { item_id: tea.id } }));
    expect(await requireData(ask("GET", "/cart"))).toMatchObject({
      items: [
        { hold_expires_at: at(6, 13), requires_shipping: false },
        { hold_expires_at: null, requires_shipping: true },
      ],
    });
  });

  it("follow the quantity of the line and are released with it", async () => {
    const service = await createService(shop, { capacity: 3 });
    const { item } = await requireData(addSlotToCart(ask, service, at(9)));
    const change = (quantity: number) =>
      ask("PATCH", `/cart/items/${item.id}`, { body: { quantity } });
    await requireData(change(3));
    expect(await listSlotAllocations(shop)).toEqual([["hold", 3, at(9)]]);
    expect(ruleOf(await change(4))).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(await listSlotAllocations(shop)).toEqual([["hold", 3, at(9)]]);
    await requireData(change(2));
    expect(await listSlotAllocations(shop)).toEqual([["hold", 2, at(9)]]);
    await requireData(ask("DELETE", `/cart/items/${item.id}`));
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("are released when the cart is cleared", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    await requireData(addSlotToCart(ask, service, at(10)));
    await requireData(ask("DELETE", "/cart"));
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("are purged after they expire", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    advanceMinutes(8);
    await requireData(addSlotToCart(ask, service, at(10)));
    advanceMinutes(3);
    await runAllJobs();
    expect(await listSlotAllocations(shop)).toEqual([["hold", 1, at(10)]]);
    expect(
      await selectRows(
        shop,
        "explain query plan select id from slot_claims where expires_at is not null and expires_at <= 1 order by expires_at limit 5",
      ),
    ).toMatchObject([{ detail: expect.stringContaining("slot_claims_expiring") }]);
  });
});
