import { beforeEach, describe, expect, it, vi } from "vitest";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { roundTrips, shopper } from "../support/world.ts";
import {
  at,
  type BookingShop,
  cancelBooking,
  cash,
  createBooking,
  createBookingShop,
  createService,
  listSlotAllocations,
  type PlacedBooking,
  requireData,
  rescheduleBooking,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let guest: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  guest = shopper(shop);
});

const idsOf = (bookings: readonly { id: string }[]) => bookings.map(({ id }) => id);

describe("GET /scheduling/bookings", () => {
  it("lists the customer's bookings: upcoming ones earliest first, others latest first", async () => {
    const service = await createService(shop);
    const { ask } = await createLoggedInShopper(shop);
    const { ask: other } = await createLoggedInShopper(shop, "+233241234599");
    const made: PlacedBooking[] = [];
    for (const hour of [9, 14, 11]) {
      made.push(await createBooking(shop, service, { ask, when: at(hour) }));
    }
    await createBooking(shop, service, { ask: other, when: at(16) });
    const [first, third, second] = made.map(({ booking }) => booking.id);
    vi.setSystemTime(Date.parse(at(10)));
    const list = (when: string) => requireData(ask("GET", `/scheduling/bookings${when}`));
    expect(idsOf(await list("?when=upcoming"))).toEqual([second, third]);
    expect(idsOf(await list("?when=past"))).toEqual([first]);
    expect(idsOf(await list(""))).toEqual([third, second, first]);
    expect(idsOf(await list("?limit=1&offset=1"))).toEqual([second]);
    const answer = await ask("GET", "/scheduling/bookings");
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
    expect(await list("?when=past")).toEqual([
      await requireData(ask("GET", `/scheduling/bookings/${first}`)),
    ]);
  });

  it("requires a login", async () => {
    expect((await guest("GET", "/scheduling/bookings")).status).toBe(401);
    const answer = await guest("GET", "/scheduling/bookings?when=soon");
    expect(answer.status).toBe(400);
  });
});

describe("GET /scheduling/bookings/{booking_id}", () => {
  it("is readable by the order's customer and with the bill token", async () => {
    const { ask } = await createLoggedInShopper(shop);
    const { ask: other } = await createLoggedInShopper(shop, "+233241234599");
    const { booking, token } = await createBooking(shop, await createService(shop), { ask });
    const path = `/scheduling/bookings/${booking.id}`;
    expect(await requireData(ask("GET", path))).toEqual(booking);
    expect(await requireData(guest("GET", `${path}?token=${token}`))).toEqual(booking);
    for (const answer of [
      await guest("GET", path),
      await guest("GET", `${path}?token=bt_wrong`),
      await other("GET", path),
      await ask("GET", "/scheduling/bookings/bk_unknown"),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect(roundTrips(await ask("GET", path))).toMatchObject({ d1: 1, do: 1 });
  });

  it("belongs to the customer once the order is assigned to them", async () => {
    const placed = await createBooking(shop, await createService(shop), { ask: guest });
    const { ask, customerId } = await createLoggedInShopper(shop);
    await requireData(
      ask("POST", `/orders/${placed.orderId}/customer?token=${placed.token}`, {
        body: { customer_id: customerId },
      }),
    );
    expect(await requireData(ask("GET", "/scheduling/bookings"))).toMatchObject([
      { id: placed.booking.id, customer_id: customerId },
    ]);
  });
});

describe("POST /scheduling/bookings/{booking_id}/cancel", () => {
  it("releases the slot and emits an event, without changing an order that is not paid", async () => {
    const service = await createService(shop);
    const placed = await createBooking(shop, service, { pay: cash });
    const answer = await cancelBooking(guest, placed, { reason: "Ill" });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { bookings, ...order } = await requireData(
      guest("GET", `/orders/${placed.orderId}?token=${placed.token}`),
    );
    expect(order).toMatchObject({ status: "pending", payment_status: "pending" });
    expect(bookings).toEqual([await requireData(Promise.resolve(answer))]);
    expect(bookings).toMatchObject([{ status: "cancelled", cancellation_reason: "Ill" }]);
    expect(await listSlotAllocations(shop)).toEqual([]);
    expect((await listOutboxEventTypes(shop)).at(-1)).toBe("booking.cancelled");
    expect((await createBooking(shop, service)).booking.status).toBe("confirmed");
  });

  it("is replayed with the same key and refused without one", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await cancelBooking(guest, placed, { reason: "Ill" }, key);
    const again = await cancelBooking(guest, placed, { reason: "Ill" }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await cancelBooking(guest, placed, { reason: "Rain" }, key)).status).toBe(409);
    expect(ruleOf(await cancelBooking(guest, placed))).toEqual([422, "INVALID_STATE"]);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type === "booking.cancelled"),
    ).toHaveLength(1);
  });

  it("is refused with CANCELLATION_WINDOW_CLOSED within the notice period and after the start", async () => {
    const service = await createService(shop, { cancellation_notice_minutes: 120 });
    const placed = await createBooking(shop, service, { when: at(12) });
    vi.setSystemTime(Date.parse(at(10)) + 1);
    expect(ruleOf(await cancelBooking(guest, placed))).toEqual([422, "CANCELLATION_WINDOW_CLOSED"]);
    expect(ruleOf(await rescheduleBooking(guest, placed, at(15)))).toEqual([
      422,
      "CANCELLATION_WINDOW_CLOSED",
    ]);
    vi.setSystemTime(Date.parse(at(10)));
    expect((await cancelBooking(guest, placed)).status).toBe(200);
    const late = await createBooking(shop, await createService(shop), { when: at(11) });
    vi.setSystemTime(Date.parse(at(11)));
    expect(ruleOf(await cancelBooking(guest, late))).toEqual([422, "CANCELLATION_WINDOW_CLOSED"]);
  });
});
