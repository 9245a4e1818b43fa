import { beforeEach, describe, expect, it, vi } from "vitest";
import { listOutboxEventTypes } from "../support/select-rows.ts";
import { type ApiResponse, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  createBooking,
  createBookingShop,
  createResource,
  createService,
  createStaffMember,
  listSlotAllocations,
  type PlacedBooking,
  readBookingStatuses,
  requireData,
  rescheduleBooking,
  ruleOf,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = merchant(shop);
});

const key = { "Idempotency-Key": "8f6f2a3e-5f0b-4a57-9e5b-2f7d6c1a9b10" };

const cancelAsMerchant = (
  { booking }: PlacedBooking,
  body: object = {},
  headers = {},
): Promise<ApiResponse> => ask("POST", `/bookings/${booking.id}/cancel`, { body, headers });

/** Reschedules a one-hour booking as the merchant. */
const rescheduleAsMerchant = (
  { booking }: PlacedBooking,
  when: string,
  fields: object = {},
  headers = {},
): Promise<ApiResponse> =>
  ask("POST", `/bookings/${booking.id}/reschedule`, {
    body: {
      new_start_time: when,
      new_end_time: new Date(Date.parse(when) + 3_600_000).toISOString(),
      ...fields,
    },
    headers,
  });

const readAudit = async ({ orderId }: PlacedBooking) =>
  (await requireData(ask("GET", `/audit?entity=${orderId}`))).items;

const listBookingEventTypes = async () =>
  (await listOutboxEventTypes(shop)).filter((type) => type.startsWith("booking."));

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel", () => {
  it("cancels a booking within the notice period, keeps its order and releases the slot", async () => {
    const service = await createService(shop, { cancellation_notice_minutes: 7 * 24 * 60 });
    const placed = await createBooking(shop, service);
    const answer = await cancelAsMerchant(placed, { reason: "The masseur is ill" });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(await requireData(Promise.resolve(answer))).toEqual({
      ...placed.booking,
      status: "cancelled",
      changeable_until: null,
      cancelled_at: expect.any(String),
      cancellation_reason: "The masseur is ill",
      updated_at: expect.any(String),
    });
    expect(await readBookingStatuses(placed.ask, placed)).toEqual(["cancelled"]);
    expect(await requireData(ask("GET", `/orders/${placed.orderId}`))).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
    });
    expect(await listSlotAllocations(shop)).toEqual([]);
    expect(await listBookingEventTypes()).toEqual(["booking.created", "booking.cancelled"]);
    expect(await readAudit(placed)).toMatchObject([
      {
        action: "booking.cancelled",
        before: { booking: placed.booking.id, status: "confirmed" },
        after: { status: "cancelled", reason: "The masseur is ill" },
      },
    ]);
    await requireData(addSlotToCart(shopper(shop), service, at(9)));
  });

  it("cancels once per Idempotency-Key and refuses another cancel with INVALID_STATE", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const answers = [
      await cancelAsMerchant(placed, {}, key),
      await cancelAsMerchant(placed, {}, key),
    ];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await cancelAsMerchant(placed, { reason: "Other" }, key)).status).toBe(409);
    expect(ruleOf(await cancelAsMerchant(placed))).toEqual([422, "INVALID_STATE"]);
    expect(await listBookingEventTypes()).toEqual(["booking.created", "booking.cancelled"]);
    expect(await readAudit(placed)).toHaveLength(1);
  });

  it("cancels a booking that has started, but none that is completed", async () => {
    const service = await createService(shop, { capacity: 2 });
    const [late, done] = [await createBooking(shop, service), await createBooking(shop, service)];
    vi.setSystemTime(Date.parse(at(9, 30)));
    await requireData(
      ask("POST", `/bookings/${done.booking.id}/status`, { body: { status: "completed" } }),
    );
    await requireData(cancelAsMerchant(late));
    expect(ruleOf(await cancelAsMerchant(done))).toEqual([422, "INVALID_STATE"]);
  });
});

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule", () => {
  it("ignores the notice period, the minimum notice and the booking window", async () => {
    const service = await createService(shop, {
      cancellation_notice_minutes: 7 * 24 * 60,
      min_notice_minutes: 180,
      booking_window_days: 2,
    });
    const placed = await createBooking(shop, service);
    expect(ruleOf(await rescheduleBooking(placed.ask, placed, at(14)))).toEqual([
      422,
      "CANCELLATION_WINDOW_CLOSED",
    ]);
    const far = "2030-06-06T09:00:00.000Z";
    for (const when of [far, at(8)]) {
      const answer = await rescheduleAsMerchant(placed, when, { reason: "Works" });
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
      expect(await requireData(Promise.resolve(answer))).toMatchObject({ start_time: when });
    }
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(8)]]);
    expect(await listBookingEventTypes()).toEqual([
      "booking.created",
      "booking.rescheduled",
      "booking.rescheduled",
    ]);
    expect(await readAudit(placed)).toMatchObject([
      { action: "booking.rescheduled", after: { reason: "Works", type: "business" } },
      { action: "booking.rescheduled" },
    ]);
  });

  it("refuses closed, taken and past times", async () => {
    const [ama, room] = [
      await createStaffMember(shop, "Ama", { hours: { mon: [{ open: "08:00", close: "12:00" }] } }),
      await createResource(shop, 1),
    ];
    const service = await createService(shop, { staff_ids: [ama] });
    const yoga = await createService(shop, { name: "Yoga", capacity: 5, resource_ids: [room] });
    const [nine] = [
      await createBooking(shop, service),
      await createBooking(shop, service, { when: at(10) }),
    ];
    const inRoom = await createBooking(shop, yoga);
    await createBooking(shop, yoga, { when: at(10) });
    const refused: readonly (readonly [PlacedBooking, string, string])[] = [
      [nine, at(10), "FULLY_BOOKED"],
      [nine, at(13), "STAFF_UNAVAILABLE"],
      [nine, at(19), "OUTSIDE_HOURS"],
      [nine, "2030-05-05T09:00:00.000Z", "TOO_SOON"],
      [inRoom, at(10), "FULLY_BOOKED"],
    ];
    for (const [placed, when, reason] of refused) {
      expect(await rescheduleAsMerchant(placed, when), reason).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason } } },
      });
    }
    const tooLong = await rescheduleAsMerchant(nine, at(11), { new_end_time: at(13) });
    expect(ruleOf(tooLong)).toEqual([422, "SLOT_INVALID"]);
    expect((await rescheduleAsMerchant(nine, at(11), { new_staff_id: "stf_unknown" })).status).toBe(
      404,
    );
    expect((await listBookingEventTypes()).at(-1)).toBe("booking.created");
  });

  it("reschedules once per Idempotency-Key", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const answers = [
      await rescheduleAsMerchant(placed, at(14), {}, key),
      await rescheduleAsMerchant(placed, at(14), {}, key),
    ];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await listBookingEventTypes()).toEqual(["booking.created", "booking.rescheduled"]);
    expect(answers[0]).toMatchObject({ body: { data: { rescheduled_from: at(9) } } });
  });

  it("gives the last slot to one of two concurrent reschedules", async () => {
    const service = await createService(shop);
    const shoppers = await createBooking(shop, service);
    const merchants = await createBooking(shop, service, { when: at(10) });
    const answers = await Promise.all([
      rescheduleBooking(shoppers.ask, shoppers, at(14)),
      rescheduleAsMerchant(merchants, at(14)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [refused] = answers.filter(({ status }) => status !== 200);
    expect(refused && ruleOf(refused)).toEqual([422, "SLOT_UNAVAILABLE"]);
    const stays = answers[0].status === 200 ? at(10) : at(9);
    expect(await listSlotAllocations(shop)).toEqual([
      ["booking", 1, stays],
      ["booking", 1, at(14)],
    ]);
  });

  it("releases the slot when the shopper cancels at the same time", async () => {
    const placed = await createBooking(shop, await createService(shop));
    const path = `/scheduling/bookings/${placed.booking.id}/cancel?token=${placed.token}`;
    await Promise.all([
      rescheduleAsMerchant(placed, at(14)),
      placed.ask("POST", path, { body: {} }),
    ]);
    expect(await readBookingStatuses(placed.ask, placed)).toEqual(["cancelled"]);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });
});
