import { beforeEach, describe, expect, it, vi } from "vitest";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { cronFor } from "../support/cron.ts";
import { dataOf, piecesOf } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  book,
  cash,
  checkOut,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  givenStaff,
  had,
  mobileMoney,
  ruleOf,
  type Shop,
  statusesOf,
} from "./given.ts";

let shop: Shop;
let ask: Ask;

beforeEach(async () => {
  shop = await givenShop();
  ask = shopper(shop);
});

const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

describe("POST /checkout of booked lines", () => {
  it("turns holds into the order's bookings, in one batch with their events", async () => {
    const ama = await givenStaff(shop);
    const service = await givenService(shop, { capacity: 4, staff_ids: [ama] });
    const { orderId, booking } = await givenBooking(shop, service, {
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
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(await claimsOf(shop)).toEqual([["booking", 3, at(9)]]);
    expect(await eventsOf(shop)).toEqual(["order.created", "booking.created"]);
    const [event] = await rowsOf(
      shop,
      "select data from events where type = 'booking.created' and business_id = ?",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toEqual(booking);
    const order = await had(merchant(shop)("GET", `/orders/${orderId}`));
    expect(order.bookings).toEqual([booking]);
  });

  it("confirms them with the order, and never loses them to a hold that ended", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    later(11);
    const answer = await checkOut(ask, mobileMoney(0));
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(4); // with the key's own look-up
    const { order_id: orderId, bill_token: token } = dataOf(answer);
    expect(await statusesOf(ask, { orderId, token })).toEqual(["confirmed"]);
    later(60);
    await cronFor(shop);
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
    expect(ruleOf(await book(shopper(shop), service, at(9)))).toEqual([422, "SLOT_UNAVAILABLE"]);
  });

  it("charges nothing, and names the line, when the place was lost meanwhile", async () => {
    const tea = await givenProduct(shop, { inventoryType: "tracked" });
    await givenStock(shop, tea, 5);
    const service = await givenService(shop);
    await had(ask("POST", "/cart/items", { body: { item_id: tea.id } }));
    await had(book(ask, service, at(9)));
    later(11);
    await givenBooking(shop, service);
    const answer = await checkOut(ask, mobileMoney(0));
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "SLOT_UNAVAILABLE", items: ["Massage"] } } },
    });
    expect(
      await rowsOf(shop, "select 1 from orders where business_id = ?", shop.business.id),
    ).toHaveLength(1);
    expect(await piecesOf(shop, tea.id)).toEqual([5, 0]);
    expect((await had(ask("GET", "/cart"))).item_count).toBe(2);
  });

  it("names of several lines the one whose place was lost", async () => {
    const [cut, wash] = [
      await givenService(shop, { name: "Cut" }),
      await givenService(shop, { name: "Wash" }),
    ];
    await had(book(ask, cut, at(9)));
    await had(book(ask, wash, at(10)));
    later(11);
    await givenBooking(shop, wash, { when: at(10) });
    const answer = await checkOut(ask, cash);
    expect(ruleOf(answer)).toEqual([422, "SLOT_UNAVAILABLE"]);
    expect(answer.body).toMatchObject({
      error: { context: { reason: "FULLY_BOOKED", items: ["Wash"] } },
    });
  });

  it("refuses times that are over by then", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    later(4 * 60);
    const answer = await checkOut(ask);
    expect(answer.body).toMatchObject({
      error: {
        context: { rule: "SLOT_UNAVAILABLE", reason: "TOO_SOON", items: ["Massage"] },
      },
    });
  });

  it("gives two lines of one order two staff members", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const cut = await givenService(shop, { name: "Cut", staff_ids: [ama, kofi] });
    const wash = await givenService(shop, { name: "Wash", staff_ids: [ama, kofi] });
    await had(book(ask, cut, at(9)));
    await had(book(ask, wash, at(9)));
    later(11);
    const { order_id, bill_token } = await had(checkOut(ask));
    const { bookings } = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    const staff = bookings.map(({ staff_id }: { staff_id: string }) => staff_id);
    expect(staff.sort()).toEqual([ama, kofi].sort());
  });

  it("takes the place over from the order that another checkout replaces", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    expect((await checkOut(ask, mobileMoney(3), "first")).status).toBe(503);
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
    const { order_id: orderId, bill_token: token } = await had(checkOut(ask, cash, "second"));
    expect(await statusesOf(ask, { orderId, token })).toEqual(["pending"]);
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(9)]]);
  });
});
