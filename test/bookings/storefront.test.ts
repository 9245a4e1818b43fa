import { beforeEach, describe, expect, it, vi } from "vitest";
import { loggedInShopper } from "../support/sessions.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  cash,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  givenStaff,
  had,
  mobileMoney,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let guest: Ask;

beforeEach(async () => {
  shop = await givenShop();
  guest = shopper(shop);
});

type Placed = Awaited<ReturnType<typeof givenBooking>>;

const idsOf = (bookings: readonly { id: string }[]) => bookings.map(({ id }) => id);

const cancel = (by: Ask, { booking, token }: Placed, body: object = {}, headers = {}) =>
  by("POST", `/scheduling/bookings/${booking.id}/cancel?token=${token}`, { body, headers });

const move = (
  by: Ask,
  { orderId, token, booking }: Placed,
  when: string,
  fields: object = {},
): Promise<Answer> =>
  by("POST", `/scheduling/bookings/reschedule?token=${token}`, {
    body: {
      order_id: orderId,
      line_item_id: booking.line_item_id,
      new_start_time: when,
      new_end_time: new Date(Date.parse(when) + 3_600_000).toISOString(),
      ...fields,
    },
  });

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

describe("POST /scheduling/bookings/reschedule", () => {
  it("moves the booking: another slot is taken, the old one is free", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama, kofi], buffer_minutes: 30 });
    const placed = await givenBooking(shop, service, { fields: { staff_id: kofi } });
    const answer = await move(guest, placed, at(14), { reason: "Late bus" });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const moved = await had(Promise.resolve(answer));
    expect(moved).toEqual({
      ...placed.booking,
      start_time: at(14),
      end_time: at(15),
      staff_id: kofi,
      rescheduled_from: at(9),
      updated_at: expect.any(String),
    });
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await had(guest("GET", path))).toEqual(moved);
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(14)]]);
    expect((await eventsOf(shop)).at(-1)).toBe("booking.rescheduled");
    const audit = await had(merchant(shop)("GET", `/audit?entity=${placed.orderId}`));
    expect(audit.items).toMatchObject([
      { action: "booking.rescheduled", after: { reason: "Late bus", type: "customer" } },
    ]);
  });

  it("goes to another staff member by name, and to whoever is free without one", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama, kofi], capacity: 2 });
    const cut = await givenService(shop, { name: "Cut", staff_ids: [ama] });
    const placed = await givenBooking(shop, service, { fields: { staff_id: ama } });
    const named = await had(move(guest, placed, at(10), { new_staff_id: kofi }));
    expect(named.staff_id).toBe(kofi);
    await had(move(guest, placed, at(11), { new_staff_id: ama }));
    await givenBooking(shop, cut, { when: at(12) });
    expect((await had(move(guest, placed, at(12)))).staff_id).toBe(kofi);
    expect((await move(guest, placed, at(13), { new_staff_id: "stf_unknown" })).status).toBe(404);
  });

  it("is SLOT_UNAVAILABLE where there is no room, and then stays where it was", async () => {
    const service = await givenService(shop);
    const placed = await givenBooking(shop, service);
    await givenBooking(shop, service, { when: at(14) });
    for (const when of [at(14), at(19), "2030-05-05T09:00:00.000Z"]) {
      expect(ruleOf(await move(guest, placed, when))).toEqual([422, "SLOT_UNAVAILABLE"]);
    }
    const wrongEnd = await move(guest, placed, at(15), { new_end_time: at(17) });
    expect(ruleOf(wrongEnd)).toEqual([422, "SLOT_INVALID"]);
    expect(await claimsOf(shop)).toEqual([
      ["booking", 1, at(9)],
      ["booking", 1, at(14)],
    ]);
    expect((await eventsOf(shop)).filter((type) => type.startsWith("booking.r"))).toEqual([]);
  });

  it("keeps the length that was booked, whatever the service lasts by now", async () => {
    const service = await givenService(shop);
    const placed = await givenBooking(shop, service);
    await had(
      merchant(shop)("PATCH", `/services/${service.id}`, { body: { duration_minutes: 30 } }),
    );
    expect((await move(guest, placed, at(13))).status).toBe(200);
  });

  it("is refused to anybody else, and for a booking that is over", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    expect((await move(guest, { ...placed, token: "bt_wrong" }, at(14))).status).toBe(404);
    const line = await move(guest, placed, at(14), { line_item_id: "li_unknown" });
    expect(line.status).toBe(404);
    await had(cancel(guest, placed));
    expect(ruleOf(await move(guest, placed, at(14)))).toEqual([422, "INVALID_STATE"]);
  });

  it("answers bad input by the field's name", async () => {
    const placed = await givenBooking(shop, await givenService(shop), { pay: cash });
    for (const [field, fields] of Object.entries({
      new_start_time: { new_start_time: "tomorrow" },
      reschedule_type: { reschedule_type: "weather" },
      reason: { reason: "x".repeat(501) },
    })) {
      const answer = await move(guest, placed, at(14), fields);
      expect(answer).toMatchObject({ status: 400, body: { error: { context: { field } } } });
    }
  });
});

describe("changes of one booking at once", () => {
  it("cancel and reschedule: one of them is last, and the claim is what the booking says", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    const answers = await Promise.all([
      cancel(guest, placed),
      move(guest, placed, at(14)),
      move(guest, placed, at(15)),
      guest("POST", `/orders/${placed.orderId}/cancel?token=${placed.token}`, { body: {} }),
    ]);
    for (const { status } of answers) expect([200, 422, 409]).toContain(status);
    const [booking] = await rowsOf(
      shop,
      "select status from bookings where business_id = ?",
      shop.business.id,
    );
    expect(booking).toEqual({ status: "cancelled" });
    expect(await claimsOf(shop)).toEqual([]);
    const told = (await eventsOf(shop)).filter((type) => type === "booking.cancelled");
    expect(told).toHaveLength(1);
  });
});

describe("mobile money that is paid later", () => {
  it("confirms the booking when it settles", async () => {
    const placed = await givenBooking(shop, await givenService(shop), { pay: mobileMoney(2) });
    expect(placed.booking.status).toBe("pending");
    await had(guest("POST", `/orders/${placed.orderId}/verify-payment?token=${placed.token}`));
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await had(guest("GET", path))).toMatchObject({ status: "confirmed" });
  });
});
