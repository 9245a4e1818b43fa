import { beforeEach, describe, expect, it, vi } from "vitest";
import { eventsOf } from "../support/shop-database.ts";
import { type Answer, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  at,
  book,
  claimsOf,
  givenBooking,
  givenResource,
  givenService,
  givenShop,
  givenStaff,
  had,
  move,
  type Placed,
  ruleOf,
  type Shop,
  statusesOf,
} from "./given.ts";

let shop: Shop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenShop();
  ask = merchant(shop);
});

const key = { "Idempotency-Key": "8f6f2a3e-5f0b-4a57-9e5b-2f7d6c1a9b10" };

const cancelled = ({ booking }: Placed, body: object = {}, headers = {}): Promise<Answer> =>
  ask("POST", `/bookings/${booking.id}/cancel`, { body, headers });

/** Moves an hour's booking. */
const moved = (
  { booking }: Placed,
  when: string,
  fields: object = {},
  headers = {},
): Promise<Answer> =>
  ask("POST", `/bookings/${booking.id}/reschedule`, {
    body: {
      new_start_time: when,
      new_end_time: new Date(Date.parse(when) + 3_600_000).toISOString(),
      ...fields,
    },
    headers,
  });

const auditOf = async ({ orderId }: Placed) =>
  (await had(ask("GET", `/audit?entity=${orderId}`))).items;

const told = async () => (await eventsOf(shop)).filter((type) => type.startsWith("booking."));

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/cancel", () => {
  it("cancels the one booking, in any notice period; its order stays, and its place is free", async () => {
    const service = await givenService(shop, { cancellation_notice_minutes: 7 * 24 * 60 });
    const placed = await givenBooking(shop, service);
    const answer = await cancelled(placed, { reason: "The masseur is ill" });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(await had(Promise.resolve(answer))).toEqual({
      ...placed.booking,
      status: "cancelled",
      cancelled_at: expect.any(String),
      cancellation_reason: "The masseur is ill",
      updated_at: expect.any(String),
    });
    expect(await statusesOf(placed.ask, placed)).toEqual(["cancelled"]);
    expect(await had(ask("GET", `/orders/${placed.orderId}`))).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
    });
    expect(await claimsOf(shop)).toEqual([]);
    expect(await told()).toEqual(["booking.created", "booking.cancelled"]);
    expect(await auditOf(placed)).toMatchObject([
      {
        action: "booking.cancelled",
        before: { booking: placed.booking.id, status: "confirmed" },
        after: { status: "cancelled", reason: "The masseur is ill" },
      },
    ]);
    await had(book(shopper(shop), service, at(9)));
  });

  it("is one cancel however often its request comes, and INVALID_STATE for another", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    const answers = [await cancelled(placed, {}, key), await cancelled(placed, {}, key)];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await cancelled(placed, { reason: "Other" }, key)).status).toBe(409);
    expect(ruleOf(await cancelled(placed))).toEqual([422, "INVALID_STATE"]);
    expect(await told()).toEqual(["booking.created", "booking.cancelled"]);
    expect(await auditOf(placed)).toHaveLength(1);
  });

  it("takes one that has begun, and none that is over", async () => {
    const service = await givenService(shop, { capacity: 2 });
    const [late, done] = [await givenBooking(shop, service), await givenBooking(shop, service)];
    vi.setSystemTime(Date.parse(at(9, 30)));
    await had(
      ask("POST", `/bookings/${done.booking.id}/status`, { body: { status: "completed" } }),
    );
    await had(cancelled(late));
    expect(ruleOf(await cancelled(done))).toEqual([422, "INVALID_STATE"]);
  });
});

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/reschedule", () => {
  it("moves it in any notice period, sooner and later than a shopper may book", async () => {
    const service = await givenService(shop, {
      cancellation_notice_minutes: 7 * 24 * 60,
      min_notice_minutes: 180,
      booking_window_days: 2,
    });
    const placed = await givenBooking(shop, service);
    expect(ruleOf(await move(placed.ask, placed, at(14)))).toEqual([
      422,
      "CANCELLATION_WINDOW_CLOSED",
    ]);
    const far = "2030-06-06T09:00:00.000Z";
    for (const when of [far, at(8)]) {
      const answer = await moved(placed, when, { reason: "Works" });
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
      expect(await had(Promise.resolve(answer))).toMatchObject({ start_time: when });
    }
    expect(await claimsOf(shop)).toEqual([["booking", 1, at(8)]]);
    expect(await told()).toEqual(["booking.created", "booking.rescheduled", "booking.rescheduled"]);
    expect(await auditOf(placed)).toMatchObject([
      { action: "booking.rescheduled", after: { reason: "Works", type: "business" } },
      { action: "booking.rescheduled" },
    ]);
  });

  it("keeps to the hours, to what is free and to times to come", async () => {
    const [ama, room] = [
      await givenStaff(shop, "Ama", { hours: { mon: [{ open: "08:00", close: "12:00" }] } }),
      await givenResource(shop, 1),
    ];
    const service = await givenService(shop, { staff_ids: [ama] });
    const yoga = await givenService(shop, { name: "Yoga", capacity: 5, resource_ids: [room] });
    const [nine] = [
      await givenBooking(shop, service),
      await givenBooking(shop, service, { when: at(10) }),
    ];
    const inRoom = await givenBooking(shop, yoga);
    await givenBooking(shop, yoga, { when: at(10) });
    const refused: readonly (readonly [Placed, string, string])[] = [
      [nine, at(10), "FULLY_BOOKED"],
      [nine, at(13), "STAFF_UNAVAILABLE"],
      [nine, at(19), "OUTSIDE_HOURS"],
      [nine, "2030-05-05T09:00:00.000Z", "TOO_SOON"],
      [inRoom, at(10), "FULLY_BOOKED"],
    ];
    for (const [placed, when, reason] of refused) {
      expect(await moved(placed, when), reason).toMatchObject({
        status: 422,
        body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason } } },
      });
    }
    const tooLong = await moved(nine, at(11), { new_end_time: at(13) });
    expect(ruleOf(tooLong)).toEqual([422, "SLOT_INVALID"]);
    expect((await moved(nine, at(11), { new_staff_id: "stf_unknown" })).status).toBe(404);
    expect((await told()).at(-1)).toBe("booking.created");
  });

  it("is one move however often its request comes", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    const answers = [await moved(placed, at(14), {}, key), await moved(placed, at(14), {}, key)];
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(await told()).toEqual(["booking.created", "booking.rescheduled"]);
    expect(answers[0]).toMatchObject({ body: { data: { rescheduled_from: at(9) } } });
  });

  it("beside a shopper's for the same last place: one of the two gets it, the other stays", async () => {
    const service = await givenService(shop);
    const shoppers = await givenBooking(shop, service);
    const merchants = await givenBooking(shop, service, { when: at(10) });
    const answers = await Promise.all([
      move(shoppers.ask, shoppers, at(14)),
      moved(merchants, at(14)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const [refused] = answers.filter(({ status }) => status !== 200);
    expect(refused && ruleOf(refused)).toEqual([422, "SLOT_UNAVAILABLE"]);
    const stays = answers[0].status === 200 ? at(10) : at(9);
    expect(await claimsOf(shop)).toEqual([
      ["booking", 1, stays],
      ["booking", 1, at(14)],
    ]);
  });

  it("beside the shopper's own cancel: the place is what the booking says", async () => {
    const placed = await givenBooking(shop, await givenService(shop));
    const path = `/scheduling/bookings/${placed.booking.id}/cancel?token=${placed.token}`;
    await Promise.all([moved(placed, at(14)), placed.ask("POST", path, { body: {} })]);
    expect(await statusesOf(placed.ask, placed)).toEqual(["cancelled"]);
    expect(await claimsOf(shop)).toEqual([]);
  });
});
