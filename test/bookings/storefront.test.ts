import { beforeEach, describe, expect, it, vi } from "vitest";
import { loggedInShopper } from "../support/sessions.ts";
import { eventsOf } from "../support/shop-database.ts";
import { roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  cancel,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  had,
  move,
  type Placed,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let guest: Ask;

beforeEach(async () => {
  shop = await givenShop();
  guest = shopper(shop);
});

const idsOf = (bookings: readonly { id: string }[]) => bookings.map(({ id }) => id);

describe("GET /scheduling/bookings", () => {
  it("lists the customer's own: what is to come the soonest first, the rest the latest first", async () => {
    const service = await givenService(shop);
    const { ask } = await loggedInShopper(shop);
    const { ask: other } = await loggedInShopper(shop, "+233241234599");
    const made: Placed[] = [];
    for (const hour of [9, 14, 11]) {
      made.push(await givenBooking(shop, service, { ask, when: at(hour) }));
    }
    await givenBooking(shop, service, { ask: other, when: at(16) });
    const [first, third, second] = made.map(({ booking }) => booking.id);
    vi.setSystemTime(Date.parse(at(10)));
    const list = (when: string) => had(ask("GET", `/scheduling/bookings${when}`));
    expect(idsOf(await list("?when=upcoming"))).toEqual([second, third]);
    expect(idsOf(await list("?when=past"))).toEqual([first]);
    expect(idsOf(await list(""))).toEqual([third, second, first]);
    expect(idsOf(await list("?limit=1&offset=1"))).toEqual([second]);
    const answer = await ask("GET", "/scheduling/bookings");
    expect(roundTrips(answer)).toMatchObject({ d1: 1, do: 1 });
    expect(await list("?when=past")).toEqual([
      await had(ask("GET", `/scheduling/bookings/${first}`)),
    ]);
  });

  it("needs a customer", async () => {
    expect((await guest("GET", "/scheduling/bookings")).status).toBe(401);
    const answer = await guest("GET", "/scheduling/bookings?when=soon");
    expect(answer.status).toBe(400);
  });
});

describe("GET /scheduling/bookings/{booking_id}", () => {
  it("is for its order's customer, or whoever has the token", async () => {
    const { ask } = await loggedInShopper(shop);
    const { ask: other } = await loggedInShopper(shop, "+233241234599");
    const { booking, token } = await givenBooking(shop, await givenService(shop), { ask });
    const path = `/scheduling/bookings/${booking.id}`;
    expect(await had(ask("GET", path))).toEqual(booking);
    expect(await had(guest("GET", `${path}?token=${token}`))).toEqual(booking);
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

  it("is a customer's from the moment on that their order is", async () => {
    const placed = await givenBooking(shop, await givenService(shop), { ask: guest });
    const { ask, customerId } = await loggedInShopper(shop);
    await had(
      ask("POST", `/orders/${placed.orderId}/customer?token=${placed.token}`, {
        body: { customer_id: customerId },
      }),
    );
    expect(await had(ask("GET", "/scheduling/bookings"))).toMatchObject([
      { id: placed.booking.id, customer_id: customerId },
    ]);
  });
});

describe("POST /scheduling/bookings/{booking_id}/cancel", () => {
  it("frees the slot and tells of it; the order and the money stay", async () => {
    const service = await givenService(shop);
    const placed = await givenBooking(shop, service);
    const answer = await cancel(guest, placed, { reason: "Ill" });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const { bookings, ...order } = await had(
      guest("GET", `/orders/${placed.orderId}?token=${placed.token}`),
    );
    expect(order).toMatchObject({ status: "confirmed", payment_status: "succeeded" });
    expect(bookings).toEqual([await had(Promise.resolve(answer))]);
    expect(bookings).toMatchObject([{ status: "cancelled", cancellation_reason: "Ill" }]);
    expect(await claimsOf(shop)).toEqual([]);
    expect((await eventsOf(shop)).at(-1)).toBe("booking.cancelled");
    expect((await givenBooking(shop, service)).booking.status).toBe("confirmed");
  });

  it("is done once: under its key it is repeated, without one refused", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await cancel(guest, placed, { reason: "Ill" }, key);
    const again = await cancel(guest, placed, { reason: "Ill" }, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await cancel(guest, placed, { reason: "Rain" }, key)).status).toBe(409);
    expect(ruleOf(await cancel(guest, placed))).toEqual([422, "INVALID_STATE"]);
    expect((await eventsOf(shop)).filter((type) => type === "booking.cancelled")).toHaveLength(1);
  });

  it("is CANCELLATION_WINDOW_CLOSED inside the notice period, and after the start", async () => {
    const service = await givenService(shop, { cancellation_notice_minutes: 120 });
    const placed = await givenBooking(shop, service, { when: at(12) });
    vi.setSystemTime(Date.parse(at(10)) + 1);
    expect(ruleOf(await cancel(guest, placed))).toEqual([422, "CANCELLATION_WINDOW_CLOSED"]);
    expect(ruleOf(await move(guest, placed, at(15)))).toEqual([422, "CANCELLATION_WINDOW_CLOSED"]);
    vi.setSystemTime(Date.parse(at(10)));
    expect((await cancel(guest, placed)).status).toBe(200);
    const late = await givenBooking(shop, await givenService(shop), { when: at(11) });
    vi.setSystemTime(Date.parse(at(11)));
    expect(ruleOf(await cancel(guest, late))).toEqual([422, "CANCELLATION_WINDOW_CLOSED"]);
  });
});
