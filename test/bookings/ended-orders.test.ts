import { beforeEach, describe, expect, it, vi } from "vitest";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { merchant, shopper } from "../support/world.ts";
import {
  type BookingShop,
  cash,
  createBooking,
  createBookingShop,
  createService,
  listSlotAllocations,
  mobileMoney,
  readBookingStatuses,
  requireData,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = shopper(shop);
});

const advanceMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

describe("the bookings of an order", () => {
  it("are cancelled when the unpaid order expires", async () => {
    const service = await createService(shop);
    const placed = await createBooking(shop, service, { pay: mobileMoney(1) });
    expect(await readBookingStatuses(ask, placed)).toEqual(["pending"]);
    advanceMinutes(31);
    await runJobsUntilIdle(shop);
    expect(await readBookingStatuses(ask, placed)).toEqual(["cancelled"]);
    expect(await listSlotAllocations(shop)).toEqual([]);
    expect((await listOutboxEventTypes(shop)).sort()).toEqual([
      "booking.cancelled",
      "booking.created",
      "order.cancelled",
      "order.created",
    ]);
  });

  it.each(["customer", "business"])("are cancelled when the %s cancels the order", async (by) => {
    const placed = await createBooking(shop, await createService(shop));
    const { orderId, token } = placed;
    const body = { reason: "Rain" };
    await (by === "customer"
      ? requireData(ask("POST", `/orders/${orderId}/cancel?token=${token}`, { body }))
      : requireData(merchant(shop)("POST", `/orders/${orderId}/cancel`, { body })));
    const { bookings } = await requireData(ask("GET", `/orders/${orderId}?token=${token}`));
    expect(bookings).toMatchObject([
      { status: "cancelled", cancellation_reason: "Rain", cancelled_at: expect.any(String) },
    ]);
    expect(await listSlotAllocations(shop)).toEqual([]);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "booking.cancelled"),
    ).toHaveLength(1);
  });

  it("are cancelled by a refund with restock, not by a refund without", async () => {
    const refund = (orderId: string, body: object) =>
      requireData(merchant(shop)("POST", `/orders/${orderId}/refunds`, { body }));
    const service = await createService(shop);
    const placed = await createBooking(shop, service);
    await refund(placed.orderId, { amount: "1" });
    expect(await readBookingStatuses(ask, placed)).toEqual(["confirmed"]);
    await refund(placed.orderId, { restock: true });
    expect(await readBookingStatuses(ask, placed)).toEqual(["cancelled"]);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("are confirmed when the business confirms the order", async () => {
    const placed = await createBooking(shop, await createService(shop), { pay: cash });
    await requireData(
      merchant(shop)("POST", `/orders/${placed.orderId}/status`, { body: { status: "confirmed" } }),
    );
    expect(await readBookingStatuses(ask, placed)).toEqual(["confirmed"]);
  });
});
