import { beforeEach, describe, expect, it, vi } from "vitest";
import { createBrowser, textOf } from "../pages/browse.ts";
import { createDeal } from "../support/create-deal.ts";
import { runJobsUntilIdle } from "../support/cron.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { dataOf, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  checkOut,
  createBooking,
  createBookingShop,
  createService,
  createStaffMember,
  listSlotAllocations,
  requireData,
  ruleOf,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = merchant(shop);
});

const customer = { name: "Efua", phone: "0241234567", notes: "Allergic to nuts" };

const book = (service: { id: string }, fields: object = {}, headers = {}) =>
  ask("POST", "/bookings", {
    body: { service_id: service.id, start_time: at(9), customer, ...fields },
    headers,
  });

const countOrders = async () =>
  (await selectRows(shop, "select id from orders where business_id = ?", shop.business.id)).length;

describe("POST /v1/businesses/{business_id}/bookings", () => {
  it("places the order that a checkout of the service would place, agreed at once", async () => {
    await changeSettings(shop, { tax: { ratePercent: "15", isInclusive: false } });
    await createDeal(shop);
    const staffId = await createStaffMember(shop);
    const service = await createService(shop, { staff_ids: [staffId] });
    const placed = await createBooking(shop, service, { when: at(11) });
    const theirs = await requireData(ask("GET", `/orders/${placed.orderId}`));
    const [eventsBefore, auditBefore] = [
      await listOutboxEventTypes(shop),
      await listAuditActions(shop),
    ];
    const answer = await book(service);
    const booking = await requireData(Promise.resolve(answer));
    expect(answer.status).toBe(201);
    expect(roundTrips(answer)).toMatchObject({ d1: 4, do: 0 });
    expect(booking).toMatchObject({
      start_time: at(9),
      end_time: at(10),
      staff_id: staffId,
      status: "confirmed",
      customer_name: "Efua",
      participant_count: 1,
      payment_link: null,
    });
    const ours = await requireData(ask("GET", `/orders/${booking.order_id}`));
    expect(ours).toMatchObject({
      order_number: booking.order_number,
      status: "confirmed",
      customer_phone: "+233241234567",
      customer_notes: "Allergic to nuts",
      payment: { method: "cash", provider_status: "pending" },
      status_history: [{ status: "confirmed", by: "business" }],
    });
    for (const field of ["subtotal", "discount_total", "tax_total", "total_price"])
      expect([field, ours[field]]).toEqual([field, theirs[field]]);
    expect(ours.total_price).toBe("82.80");
    expect(await listSlotAllocations(shop)).toEqual([
      ["booking", 1, at(9)],
      ["booking", 1, at(11)],
    ]);
    expect((await listOutboxEventTypes(shop)).slice(eventsBefore.length)).toEqual([
      "order.created",
      "booking.created",
    ]);
    expect((await listAuditActions(shop)).slice(auditBefore.length)).toEqual(["booking.created"]);
    const paid = ask("POST", `/orders/${booking.order_id}/payments/mark-paid`, { body: {} });
    expect(await requireData(paid)).toMatchObject({ payment_status: "succeeded" });
  });

  it("keeps a booking that is paid by link for a day, and frees its slot when it is not paid", async () => {
    const service = await createService(shop);
    const booking = await requireData(book(service, { start_time: at(9 + 48), payment: "link" }));
    expect(booking.status).toBe("pending");
    const { url, expires_at } = booking.payment_link;
    expect(url).toMatch(/^https:\/\/duka\.test\/pay\/[0-9a-z-]+$/);
    expect(Date.parse(expires_at)).toBe(Date.parse(booking.created_at) + 24 * 3_600_000);
    vi.setSystemTime(Date.parse(expires_at) - 60_000);
    await runJobsUntilIdle(shop);
    expect(await listSlotAllocations(shop)).toHaveLength(1);
    const again = ask("POST", `/orders/${booking.order_id}/payment-link`, {});
    expect(await requireData(again)).toEqual(booking.payment_link);
    vi.setSystemTime(Date.parse(expires_at) + 60_000);
    await runJobsUntilIdle(shop);
    expect(await listSlotAllocations(shop)).toEqual([]);
  });

  it("is paid on the page of its link, which confirms it", async () => {
    const booking = await requireData(book(await createService(shop), { payment: "link" }));
    const path = new URL(booking.payment_link.url).pathname;
    const browser = createBrowser();
    const page = await browser.open(path);
    expect(textOf(page)).toContain("May 2030"); // when the appointment is
    const phone = { mobile_phone: "0241234560", mobile_network: "mtn" };
    const fields = { payment_method: "mobile_money", ...phone };
    expect(textOf(await browser.press(page, "Pay GH₵", { fields }))).toContain("Thank you.");
    const order = await requireData(ask("GET", `/orders/${booking.order_id}`));
    expect(order).toMatchObject({ status: "confirmed", payment_status: "succeeded" });
    expect(order.bookings).toMatchObject([{ status: "confirmed" }]);
    expect(order.payments).toHaveLength(1); // what was never charged leaves no attempt
  });

  it("agrees to a free booking, which needs no link", async () => {
    const service = await createService(shop, { default_price: "0" });
    const booking = await requireData(book(service, { payment: "link" }));
    expect(booking).toMatchObject({ status: "confirmed", payment_link: null });
  });

  it("ignores notice, booking window, unpaid limits, verified contacts and the shop's methods", async () => {
    await changeSettings(shop, {
      paymentMethods: ["card"],
      unpaidLimits: { holdsPerSession: 1, bookingsPerContact: 1, perAddress: 1 },
    });
    const service = await createService(shop, {
      min_notice_minutes: 7 * 24 * 60,
      booking_window_days: 1,
      require_verified_contact: true,
    });
    const times = [at(9), at(10), at(9 + 10 * 24)];
    for (const start_time of times) expect((await book(service, { start_time })).status).toBe(201);
    expect(await listSlotAllocations(shop)).toEqual(times.map((time) => ["booking", 1, time]));
  });

  it("refuses what cannot be booked, and places nothing", async () => {
    const { product_id } = await createService(shop, { name: "Cut" });
    const service = await createService(shop);
    await requireData(addSlotToCart(shopper(shop), service, at(9)));
    await changeSettings(shop, { paymentMethods: ["cash"] });
    const cases = [
      [{}, 422, { rule: "SLOT_UNAVAILABLE", reason: "FULLY_BOOKED" }],
      [{ start_time: at(20) }, 422, { rule: "SLOT_UNAVAILABLE", reason: "OUTSIDE_HOURS" }],
      [{ start_time: at(-10) }, 422, { rule: "SLOT_UNAVAILABLE" }],
      [{ start_time: at(10), payment: "link" }, 422, { rule: "PAYMENT_METHOD_UNAVAILABLE" }],
      [{ start_time: at(10), add_on_options: ["opt_1"] }, 404, undefined],
      [{ start_time: at(10), customer: { notes: "Late" } }, 400, undefined],
      [{ start_time: at(10), customer: { phone: "none" } }, 400, undefined],
      [{ start_time: at(10), staff_id: "stf_1" }, 404, undefined],
      [{ start_time: at(10), variant_id: "var_1" }, 404, undefined],
      [{ start_time: at(10), location_id: "loc_1" }, 404, undefined],
      [{ start_time: at(10), service_id: "svc_1" }, 404, undefined],
    ] as const;
    for (const [fields, status, context] of cases) {
      const { status: answered, body } = await book(service, fields);
      expect([fields, answered]).toEqual([fields, status]);
      if (context) expect(Object(body).error.context).toMatchObject(context);
    }
    expect(await countOrders()).toBe(0);
    expect((await book({ id: product_id })).status).toBe(201); // by the product's id
  });

  it("gives a slot to one of several calls at once, and a key one booking", async () => {
    const service = await createService(shop);
    const answers = await Promise.all([book(service), book(service), book(service)]);
    const taken = answers.filter(({ status }) => status !== 201);
    expect(taken.map(ruleOf)).toEqual(taken.map(() => [422, "SLOT_UNAVAILABLE"]));
    expect(taken).toHaveLength(2);
    const later = { start_time: at(12) };
    const key = { "Idempotency-Key": "book-twice" };
    const first = await requireData(book(service, later, key));
    const second = await book(service, later, key);
    expect(dataOf(second)).toEqual(first);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await countOrders()).toBe(2);
  });

  it("leaves a slot that a shopper holds to the shopper", async () => {
    const service = await createService(shop);
    const theirs = shopper(shop);
    await requireData(addSlotToCart(theirs, service, at(9)));
    expect(ruleOf(await book(service))).toEqual([422, "SLOT_UNAVAILABLE"]);
    await requireData(checkOut(theirs));
    expect(await listSlotAllocations(shop)).toEqual([["booking", 1, at(9)]]);
  });
});

describe("GET /v1/businesses/{business_id}/services/{service_id}/slots", () => {
  it("lists the slots of a day without the limits of shoppers, and says which are taken", async () => {
    const service = await createService(shop, { min_notice_minutes: 7 * 24 * 60 });
    await requireData(book(service));
    const day = await requireData(ask("GET", `/services/${service.id}/slots?date=2030-05-06`));
    expect(day).toMatchObject({ service_id: service.id, duration_minutes: 60 });
    const slots = day.slots.map(({ start, is_available }: Slot) => [start, is_available]);
    expect(slots.slice(0, 3)).toEqual([
      [at(8), true],
      [at(9), false],
      [at(10), true],
    ]);
    expect(slots).toHaveLength(10);
    expect((await ask("GET", "/services/svc_1/slots?date=2030-05-06")).status).toBe(404);
    expect((await ask("GET", `/services/${service.id}/slots`)).status).toBe(400);
  });
});

type Slot = Readonly<{ start: string; is_available: boolean }>;
