import { beforeEach, describe, expect, it, vi } from "vitest";
import { cronFor } from "../support/cron.ts";
import { eventsOf } from "../support/shop-database.ts";
import { merchant, shopper } from "../support/world.ts";
import {
  type Ask,
  cash,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  had,
  mobileMoney,
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

describe("the end of an order", () => {
  it("that nobody paid gives the slot back in the same batch", async () => {
    const service = await givenService(shop);
    const placed = await givenBooking(shop, service, { pay: mobileMoney(1) });
    expect(await statusesOf(ask, placed)).toEqual(["pending"]);
    later(31);
    await cronFor(shop);
    expect(await statusesOf(ask, placed)).toEqual(["cancelled"]);
    expect(await claimsOf(shop)).toEqual([]);
    expect((await eventsOf(shop)).sort()).toEqual([
      "booking.cancelled",
      "booking.created",
      "order.cancelled",
      "order.created",
    ]);
  });

  it.each(["customer", "business"])("cancelled by the %s takes its bookings along", async (by) => {
    const placed = await givenBooking(shop, await givenService(shop));
    const { orderId, token } = placed;
    const body = { reason: "Rain" };
    await (by === "customer"
      ? had(ask("POST", `/orders/${orderId}/cancel?token=${token}`, { body }))
      : had(merchant(shop)("POST", `/orders/${orderId}/cancel`, { body })));
    const { bookings } = await had(ask("GET", `/orders/${orderId}?token=${token}`));
    expect(bookings).toMatchObject([
      { status: "cancelled", cancellation_reason: "Rain", cancelled_at: expect.any(String) },
    ]);
    expect(await claimsOf(shop)).toEqual([]);
    expect((await eventsOf(shop)).filter((type) => type === "booking.cancelled")).toHaveLength(1);
  });

  it("refunded with restock gives the slot back; money alone does not", async () => {
    const refund = (orderId: string, body: object) =>
      had(merchant(shop)("POST", `/orders/${orderId}/refunds`, { body }));
    const service = await givenService(shop);
    const placed = await givenBooking(shop, service);
    await refund(placed.orderId, { amount: "1" });
    expect(await statusesOf(ask, placed)).toEqual(["confirmed"]);
    await refund(placed.orderId, { restock: true });
    expect(await statusesOf(ask, placed)).toEqual(["cancelled"]);
    expect(await claimsOf(shop)).toEqual([]);
  });

  it("confirmed by the business confirms its bookings", async () => {
    const placed = await givenBooking(shop, await givenService(shop), { pay: cash });
    await had(
      merchant(shop)("POST", `/orders/${placed.orderId}/status`, { body: { status: "confirmed" } }),
    );
    expect(await statusesOf(ask, placed)).toEqual(["confirmed"]);
  });
});
