import { beforeEach, describe, expect, it } from "vitest";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import {
  at,
  type BookingShop,
  cancelBooking,
  cash,
  createBooking,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
  mobileMoney,
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

describe("POST /scheduling/bookings/reschedule", () => {
  it("moves the booking and releases the old slot", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama, kofi], buffer_minutes: 30 });
    const placed = await createBooking(shop, service, { fields: { staff_id: kofi } });
    const answer = await rescheduleBooking(guest, placed, at(14), { reason: "Late bus" });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const moved = await requireData(Promise.resolve(answer));
    expect(moved).toEqual({
      ...placed.booking,
      start_time: at(14),
      end_time: at(15),
      staff_id: kofi,
      rescheduled_from: at(9),
      changeable_until: at(14),
      updated_at: expect.any(String),
    });
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await requireData(guest("GET", path))).toEqual(moved);
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(14)]]);
    expect((await listOutboxEventTypes(shop)).at(-1)).toBe("booking.rescheduled");
    const audit = await requireData(merchant(shop)("GET", `/audit?entity=${placed.orderId}`));
    expect(audit.items).toMatchObject([
      { action: "booking.rescheduled", after: { reason: "Late bus", type: "customer" } },
    ]);
  });

  it("assigns the requested staff member, or a free one without a request", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama, kofi], capacity: 2 });
    const cut = await createService(shop, { name: "Cut", staff_ids: [ama] });
    const placed = await createBooking(shop, service, { fields: { staff_id: ama } });
    const named = await requireData(
      rescheduleBooking(guest, placed, at(10), { new_staff_id: kofi }),
    );
    expect(named.staff_id).toBe(kofi);
    await requireData(rescheduleBooking(guest, placed, at(11), { new_staff_id: ama }));
    await createBooking(shop, cut, { when: at(12) });
    expect((await requireData(rescheduleBooking(guest, placed, at(12)))).staff_id).toBe(kofi);
    expect(
      (await rescheduleBooking(guest, placed, at(13), { new_staff_id: "stf_unknown" })).status,
    ).toBe(404);
  });

  it("refuses an unavailable slot and keeps the booking", async () => {
    const service = await createService(shop);
    const placed = await createBooking(shop, service);
    await createBooking(shop, service, { when: at(14) });
    for (const when of [at(14), at(19), "2030-05-05T09:00:00.000Z"]) {
      expect(ruleOf(await rescheduleBooking(guest, placed, when))).toEqual([
        422,
        "SLOT_UNAVAILABLE",
      ]);
    }
    const wrongEnd = await rescheduleBooking(guest, placed, at(15), { new_end_time: at(17) });
    expect(ruleOf(wrongEnd)).toEqual([422, "SLOT_INVALID"]);
    expect(await listSlotAllocations(shop)).toEqual([
      ["booking", 1, at(9)],
      ["booking", 1, at(14)],
    ]);
    expect(
      (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("booking.r")),
    ).toEqual([]);
  });

  it("keeps the booked duration after the service's duration changed", async () => {
    const service = await createService(shop);
    const placed = await createBooking(shop, service);
    await requireData(
      merchant(shop)("PATCH", `/services/${service.id}`, { body: { duration_minutes: 30 } }),
    );
    expect((await rescheduleBooking(guest, placed, at(13))).status).toBe(200);
  });

  it("respects the current capacity of the service or variant", async () => {
    const change = (id: string, body: object) =>
      merchant(shop)("PATCH", `/services/${id}`, { body });
    const service = await createService(shop, { capacity: 5 });
    const placed = await createBooking(shop, service);
    await createBooking(shop, service, { when: at(14) });
    await requireData(change(service.id, { capacity: 1 }));
    expect(ruleOf(await rescheduleBooking(guest, placed, at(14)))).toEqual([
      422,
      "SLOT_UNAVAILABLE",
    ]);
    await requireData(change(service.id, { capacity: 2 }));
    expect((await rescheduleBooking(guest, placed, at(14))).status).toBe(200);
    const yoga = await createService(shop, {
      name: "Yoga",
      variants: [{ name: "Group", capacity: 2, is_default: true }],
    });
    const [first, second] = [
      await createBooking(shop, yoga, { when: at(10) }),
      await createBooking(shop, yoga, { when: at(11) }),
    ];
    await requireData(rescheduleBooking(guest, first, at(12)));
    await requireData(rescheduleBooking(guest, second, at(12)));
    expect(
      (await listSlotAllocations(shop)).filter((allocation) => String(allocation).includes(at(12))),
    ).toHaveLength(2);
  });

  it("refuses a wrong token, an unknown line and a cancelled booking", async () => {
    const placed = await createBooking(shop, await createService(shop));
    expect((await rescheduleBooking(guest, { ...placed, token: "bt_wrong" }, at(14))).status).toBe(
      404,
    );
    const line = await rescheduleBooking(guest, placed, at(14), { line_item_id: "li_unknown" });
    expect(line.status).toBe(404);
    await requireData(cancelBooking(guest, placed));
    expect(ruleOf(await rescheduleBooking(guest, placed, at(14)))).toEqual([422, "INVALID_STATE"]);
  });

  it("names the invalid field", async () => {
    const placed = await createBooking(shop, await createService(shop), { pay: cash });
    for (const [field, fields] of Object.entries({
      new_start_time: { new_start_time: "tomorrow" },
      reschedule_type: { reschedule_type: "weather" },
      reason: { reason: "x".repeat(501) },
    })) {
      const answer = await rescheduleBooking(guest, placed, at(14), fields);
      expect(answer).toMatchObject({ status: 400, body: { error: { context: { field } } } });
    }
  });
});

describe("concurrent changes of one booking", () => {
  it("end in a cancelled booking without a slot", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const answers = await Promise.all([
      cancelBooking(guest, placed),
      rescheduleBooking(guest, placed, at(14)),
      rescheduleBooking(guest, placed, at(15)),
      guest("POST", `/orders/${placed.orderId}/cancel?token=${placed.token}`, { body: {} }),
    ]);
    for (const { status } of answers) expect([200, 422, 409]).toContain(status);
    const [booking] = await selectRows(
      shop,
      "select status from bookings where business_id = ?",
      shop.business.id,
    );
    expect(booking).toEqual({ status: "cancelled" });
    expect(await listSlotAllocations(shop)).toEqual([]);
    const cancellations = (await listOutboxEventTypes(shop)).filter(
      (type) => type === "booking.cancelled",
    );
    expect(cancellations).toHaveLength(1);
  });
});

describe("a mobile money payment that settles later", () => {
  it("confirms the booking", async () => {
    const placed = await createBooking(shop, await createService(shop), { pay: mobileMoney(2) });
    expect(placed.booking.status).toBe("pending");
    await requireData(
      guest("POST", `/orders/${placed.orderId}/verify-payment?token=${placed.token}`),
    );
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await requireData(guest("GET", path))).toMatchObject({ status: "confirmed" });
  });
});
