import { beforeEach, describe, expect, it, vi } from "vitest";
import { readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { dataOf, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cash,
  checkOut,
  createBooking,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
  mobileMoney,
  readBookingStatuses,
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

describe("POST /checkout with services", () => {
  it("turns holds into bookings of the order and emits their events", async () => {
    const ama = await createStaffMember(shop);
    const service = await createService(shop, { capacity: 4, staff_ids: [ama] });
    const { orderId, booking } = await createBooking(shop, service, {
      pay: cash,
      ask,
      fields: { quantity: 3 },
    });
    expect(booking).toEqual({
      id: expect.stringMatching(/^bk_/),
      order_id: orderId,
      line_item_id: expect.stringMatching(/^li_/),
      service_id: service.id,
      service_name: "Massage",
      variant_id: null,
      staff_id: ama,
      location_id: shop.business.locations[0]?.id,
      start_time: at(9),
      end_time: at(10),
      participant_count: 3,
      status: "pending",
      customer_id: null,
      cancelled_at: null,
      cancellation_reason: null,
      rescheduled_from: null,
      changeable_until: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await listSlotAllocations(shop)).toEqual([["booking", 3, at(9)]]);
    expect(await listOutboxEventTypes(shop)).toEqual(["order.created", "booking.created"]);
    const [event] = await selectRows(
      shop,
      "select data from events where type = 'booking.created' and business_id = ?",
      shop.business.id,
    );
    const { changeable_until: _, ...snapshot } = booking;
    expect(JSON.parse(String(event?.data))).toEqual(snapshot);
    const order = await requireData(merchant(shop)("GET", `/orders/${orderId}`));
    expect(order.bookings).toEqual([booking]);
  });

  it("confirms bookings with the order, also after the hold expired", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    advanceMinutes(11);
    const answer = await checkOut(ask, mobileMoney(0));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(4); // including the lookup of the API key
    const { order_id: orderId, bill_token: token } = dataOf(answer);
    expect(await readBookingStatuses(ask, { orderId, token })).toEqual(["confirmed"]);
    advanceMinutes(60);
    await runJobsUntilIdle(shop);
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
    expect(ruleOf(await addSlotToCart(shopper(shop), service, at(9)))).toEqual([
      422,
      "SLOT_UNAVAILABLE",
    ]);
  });

  it("charges nothing and names the line when the slot is taken", async () => {
    const tea = await createProduct(shop, { inventoryType: "tracked" });
    await setStock(shop, tea, 5);
    const service = await createService(shop);
    await requireData(ask("POST", "/cart/items", { body: { item_id: tea.id } }));
    await requireData(addSlotToCart(ask, service, at(9)));
    advanceMinutes(11);
    await createBooking(shop, service);
    const answer = await checkOut(ask, mobileMoney(0));
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE", items: ["Massage"] } } },
    });
    expect(
      await selectRows(shop, "select 1 from orders where business_id = ?", shop.business.id),
    ).toHaveLength(1);
    expect(await readStockQuantities(shop, tea.id)).toEqual([5, 0]);
    expect((await requireData(ask("GET", "/cart"))).item_count).toBe(2);
  });

  it("names only the line whose slot is taken", async () => {
    const [cut, wash] = [
      await createService(shop, { name: "Cut" }),
      await createService(shop, { name: "Wash" }),
    ];
    await requireData(addSlotToCart(ask, cut, at(9)));
    await requireData(addSlotToCart(ask, wash, at(10)));
    advanceMinutes(11);
    await createBooking(shop, wash, { when: at(10) });
    const answer = await checkOut(ask, cash);
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(answer.body).toMatchObject({
      error: { context: { reason: "FULLY_BOOKED", items: ["Wash"] } },
    });
  });

  it("refuses a slot that has passed", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    advanceMinutes(4 * 60);
    const answer = await checkOut(ask);
    expect(answer.body).toMatchObject({
      error: {
        context: { rule: "SLOT_UNAVAILABLE", reason: "TOO_SOON", items: ["Massage"] },
      },
    });
  });

  it("assigns different staff to two lines at the same time", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const cut = await createService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await createService(shop, { name: "Wash", staff_ids: [ama, kofi] });
    await requireData(addSlotToCart(ask, cut, at(9)));
    await requireData(addSlotToCart(ask, wash, at(9)));
    advanceMinutes(11);
    const { order_id, bill_token } = await requireData(checkOut(ask));
    const { bookings } = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    const staff = bookings.map(({ staff_id }: { staff_id: string }) => staff_id);
    expect(staff.sort()).toEqual([ama, kofi].sort());
  });

  it("takes over the slot of the order that the checkout replaces", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    expect((await checkOut(ask, mobileMoney(3), "first")).status).toBe(503);
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
    const { order_id: orderId, bill_token: token } = await requireData(
      checkOut(ask, cash, "second"),
    );
    expect(await readBookingStatuses(ask, { orderId, token })).toEqual(["pending"]);
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
  });
});
