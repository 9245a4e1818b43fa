import { beforeEach, describe, expect, it } from "vitest";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  cancel,
  cash,
  claimsOf,
  givenBooking,
  givenService,
  givenShop,
  givenStaff,
  had,
  mobileMoney,
  move,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let guest: Ask;

beforeEach(async () => {
  shop = await givenShop();
  guest = shopper(shop);
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

  it("fits into the places that there are by now, of the service or its variant", async () => {
    const change = (id: string, body: object) =>
      merchant(shop)("PATCH", `/services/${id}`, { body });
    const service = await givenService(shop, { capacity: 5 });
    const placed = await givenBooking(shop, service);
    await givenBooking(shop, service, { when: at(14) });
    await had(change(service.id, { capacity: 1 }));
    expect(ruleOf(await move(guest, placed, at(14)))).toEqual([422, "SLOT_UNAVAILABLE"]);
    await had(change(service.id, { capacity: 2 }));
    expect((await move(guest, placed, at(14))).status).toBe(200);
    const yoga = await givenService(shop, {
      name: "Yoga",
      variants: [{ name: "Group", capacity: 2, is_default: true }],
    });
    const [first, second] = [
      await givenBooking(shop, yoga, { when: at(10) }),
      await givenBooking(shop, yoga, { when: at(11) }),
    ];
    await had(move(guest, first, at(12)));
    await had(move(guest, second, at(12)));
    expect((await claimsOf(shop)).filter((claim) => String(claim).includes(at(12)))).toHaveLength(
      2,
    );
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
