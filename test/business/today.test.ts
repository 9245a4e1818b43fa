import { beforeEach, describe, expect, it, vi } from "vitest";
import { type CreatedBusiness, defaultLocation } from "../../shared/businesses/index.ts";
import { loadToday } from "../../shared/today/index.ts";
import {
  at,
  type BookingShop,
  cash,
  createBooking,
  createBookingShop,
  createService,
} from "../bookings/create-booking.ts";
import { createMember } from "../support/console.ts";
import { createConversation, waitUntilListed } from "../support/create-conversation.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { explainQueries } from "../support/explain-queries.ts";
import { call, createBusinessOnSameShard, dataOf, merchant, roundTrips } from "../support/world.ts";

let shop: BookingShop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBookingShop(); // the clock is at 6:00 on 6 May 2030
  ask = merchant(shop);
});

const today = async (business: CreatedBusiness = shop) =>
  dataOf(await merchant(business)("GET", "/today"));

const noOrders = { to_confirm: 0, confirmed: 0, preparing: 0, ready: 0, unpaid: 0 };

describe("GET /v1/businesses/{business_id}/today", () => {
  it("counts the orders that wait, each once it needs somebody", async () => {
    const bread = await createProduct(shop, { name: "Bread" });
    const place = (payWith: "0" | "1" | "cash") => createOrder(shop, bread.id, { payWith });
    const [, preparing, cancelled] = [await place("0"), await place("0"), await place("cash")];
    await ask("POST", `/orders/${preparing.id}/status`, { body: { status: "preparing" } });
    await ask("POST", `/orders/${cancelled.id}/cancel`);
    await place("cash"); // pending: the business confirms it
    await place("1"); // pending: the shopper has not paid
    expect((await today()).orders).toEqual({
      ...noOrders,
      to_confirm: 1,
      confirmed: 1,
      preparing: 1,
      unpaid: 2,
    });
  });

  it("lists the bookings that are still to come today", async () => {
    const service = await createService(shop);
    const early = await createBooking(shop, service, { when: at(9) });
    const late = await createBooking(shop, service, { when: at(15) });
    const cancelled = await createBooking(shop, service, { when: at(16) });
    await createBooking(shop, service, { when: at(24 + 9) }); // tomorrow
    await createBooking(shop, service, { when: at(12), pay: cash }); // pending
    await ask("POST", `/bookings/${cancelled.booking.id}/cancel`);
    vi.setSystemTime(Date.parse(at(11)));
    const { bookings } = await today();
    expect(bookings).toEqual({
      total: 3,
      upcoming: [
        { ...late.booking, customer_name: null, order_number: expect.stringMatching(/^ORD-/) },
      ],
    });
    expect(early.booking.id).not.toBe(late.booking.id);
  });

  it("sums the sales of each of the last 30 days", async () => {
    const bread = await createProduct(shop, { name: "Bread", defaultPriceMinor: 2_500 });
    const sellAt = async (when: string) => {
      vi.setSystemTime(Date.parse(when));
      await createOrder(shop, bread.id, { payWith: "cash", quantity: 1 });
    };
    await sellAt("2030-04-06T23:59:00Z"); // the day before the first
    await sellAt("2030-04-07T00:00:00Z");
    await sellAt("2030-05-06T08:00:00Z");
    await sellAt("2030-05-06T09:00:00Z");
    const { date, timezone, currency, sales } = await today();
    expect({ date, timezone, currency }).toEqual({
      date: "2030-05-06",
      timezone: "Africa/Accra",
      currency: "GHS",
    });
    expect(sales).toMatchObject({ orders: 3, revenue: "75.00" });
    expect(sales.days).toHaveLength(30);
    expect(sales.days[0]).toEqual({ date: "2030-04-07", orders: 1, revenue: "25.00" });
    expect(sales.days[1]).toEqual({ date: "2030-04-08", orders: 0, revenue: "0.00" });
    expect(sales.days[29]).toEqual({ date: "2030-05-06", orders: 2, revenue: "50.00" });
  });

  it("names the levels that are low", async () => {
    const locationId = defaultLocation(shop.business).id;
    const [tea, bread] = [
      await createProduct(shop, { name: "Tea", inventoryType: "tracked" }),
      await createProduct(shop, { name: "Bread", inventoryType: "tracked" }),
    ];
    const count = (itemId: string, quantity: number) =>
      ask("PUT", `/inventory/${itemId}/locations/${locationId}`, {
        body: { quantity_on_hand: quantity },
      });
    await count(tea.id, 2);
    await count(bread.id, 9);
    expect((await today()).low_stock).toEqual({
      total: 1,
      levels: [
        {
          product_id: tea.id,
          product_name: "Tea",
          variant_id: null,
          variant_name: null,
          location_id: locationId,
          quantity_available: 2,
        },
      ],
    });
    await count(tea.id, 20);
    expect((await today()).low_stock).toEqual({ total: 0, levels: [] });
  });

  it("counts the conversations that await a reply", async () => {
    const replied = await createConversation(shop, "Are you open?");
    const closed = await createConversation(shop, "Hello");
    await createConversation(shop); // without a message
    const waiting = await createConversation(shop, "Where is my order?");
    await ask("POST", `/conversations/${replied.threadId}/messages`, { body: { content: "Yes" } });
    await ask("POST", `/conversations/${closed.threadId}/close`);
    await waitUntilListed(shop, replied.threadId, { awaits_reply: 0, message_count: 2 });
    await waitUntilListed(shop, closed.threadId, { awaits_reply: 0, status: "closed" });
    await waitUntilListed(shop, waiting.threadId, { awaits_reply: 1 });
    expect((await today()).conversations).toEqual({ unanswered: 1 });
  });

  it("leaves out what the key may not read, and another business's figures", async () => {
    await createOrder(shop, (await createProduct(shop)).id, { payWith: "cash" });
    const key = await createKey(shop, { scopes: ["orders:read"] });
    const answer = await call("GET", `/v1/businesses/${shop.business.id}/today`, {
      headers: { "X-API-Key": key },
    });
    expect(dataOf(answer)).toMatchObject({
      orders: { to_confirm: 1 },
      sales: { orders: 1 },
      bookings: { total: 0 },
      low_stock: null,
      conversations: null,
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const neighbour = await today(await createBusinessOnSameShard(shop));
    expect(neighbour).toMatchObject({ orders: noOrders, sales: { orders: 0 } });
  });

  it("shows every member what the role may read", async () => {
    const [keeper, viewer] = [
      await createMember(shop, "catalogue"),
      await createMember(shop, "viewer"),
    ];
    expect(dataOf(await keeper.ask("GET", "/today"))).toMatchObject({
      orders: null,
      bookings: null,
      sales: null,
      low_stock: { total: 0 },
      conversations: null,
    });
    expect(dataOf(await viewer.ask("GET", "/today"))).toMatchObject({
      orders: noOrders,
      conversations: { unanswered: 0 },
    });
  });

  it("reads along indexes only", async () => {
    const everything = { orders: true, inventory: true, support: true };
    const plans = await explainQueries(shop, (ctx) => loadToday(ctx, everything));
    expect(plans).toHaveLength(7);
    const scans = plans
      .flat()
      .filter((step) => /^SCAN (?!\(?(?:subquery|period|sums|one|CONSTANT))/.test(step));
    expect(scans).toEqual([]);
    for (const index of [
      "orders_by_status",
      "orders_by_payment_status",
      "orders_newest",
      "bookings_by_start",
      "stock_levels_low",
      "support_conversations_unanswered",
    ])
      expect(plans.flat().join("\n")).toContain(`${index} (`);
  });
});
