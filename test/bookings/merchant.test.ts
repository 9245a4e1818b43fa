import { beforeEach, describe, expect, it } from "vitest";
import { bookingListQuery } from "../../shared/scheduling/index.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { contextFor, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  at,
  type BookingShop,
  cash,
  createBooking,
  createBookingShop,
  createService,
  requireData,
  ruleOf,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = merchant(shop);
});

const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

describe("GET /v1/businesses/{business_id}/bookings", () => {
  it("lists bookings by start in pages, filtered by time, service and status", async () => {
    const [massage, cut] = [await createService(shop), await createService(shop, { name: "Cut" })];
    const { ask: customer, customerId } = await createLoggedInShopper(shop);
    const nine = await createBooking(shop, massage, { ask: customer });
    const eleven = await createBooking(shop, cut, { when: at(11), pay: cash });
    const ten = await createBooking(shop, massage, { when: at(10) });
    const all = [nine, ten, eleven].map(({ booking }) => booking.id);
    expect(idsOf(await requireData(ask("GET", "/bookings")))).toEqual(all);
    expect(idsOf(await requireData(ask("GET", `/bookings?from=${at(10)}&to=${at(10)}`)))).toEqual([
      all[1],
    ]);
    for (const named of [cut.id, cut.product_id]) {
      expect(idsOf(await requireData(ask("GET", `/bookings?service_id=${named}`)))).toEqual([
        all[2],
      ]);
    }
    expect(idsOf(await requireData(ask("GET", "/bookings?status=pending")))).toEqual([all[2]]);
    expect(
      idsOf(await requireData(ask("GET", `/bookings?status=pending&service_id=${massage.id}`))),
    ).toEqual([]);
    expect(idsOf(await requireData(ask("GET", `/bookings?customer=${customerId}`)))).toEqual([
      all[0],
    ]);
    const first = await requireData(ask("GET", "/bookings?limit=2"));
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    const { next_cursor } = first.pagination;
    expect(idsOf(await requireData(ask("GET", `/bookings?cursor=${next_cursor}`)))).toEqual([
      all[2],
    ]);
    expect(roundTrips(await ask("GET", "/bookings")).d1).toBe(1);
    expect(first.items[0]).toEqual({
      ...nine.booking,
      customer_name: null,
      order_number: expect.stringMatching(/^ORD-/),
    });
  });

  it.each([
    ["bookings_by_start", {}],
    ["bookings_by_start", { from: 1, to: 2 }],
    ["bookings_by_service", { serviceId: "svc_any" }],
    ["bookings_by_service", { serviceId: "svc_any", status: "pending" as const }],
    ["bookings_by_status", { status: "pending" as const, from: 1 }],
    ["bookings_by_customer", { customerId: "cus_any" }],
    [
      "bookings_by_customer",
      { customerId: "cus_any", serviceId: "svc_any", status: "pending" as const },
    ],
  ])("uses the index %s for %j", async (index, filter) => {
    const planSteps: string[] = [];
    const ctx = contextFor(shop);
    const page = { limit: 20, after: { startTime: 1, id: "bk_any" } };
    const { sql, params } = bookingListQuery(ctx).query(filter, page).toSQL();
    const plan = await selectRows(shop, `explain query plan ${sql}`, ...params);
    for (const { detail } of plan) planSteps.push(String(detail));
    expect(planSteps.join("\n")).toContain(`USING INDEX ${index}`);
    expect(planSteps.join("\n")).not.toMatch(/SCAN bookings|TEMP B-TREE/);
  });

  const last = { startTime: 5, id: "bk_last" };

  it.each([
    ["upcoming", null],
    ["past", null],
    [null, null],
    ["upcoming", last],
    ["past", last],
    [null, last],
  ] as const)(
    "uses the customer index for a customer's bookings (%s, after %j)",
    async (period, after) => {
      const page = { period, now: 1, limit: 20, offset: 0, after };
      const { sql, params } = bookingListQuery(contextFor(shop))
        .ofCustomerQuery("cus_any", page)
        .toSQL();
      const plan = await selectRows(shop, `explain query plan ${sql}`, ...params);
      const details = plan.map(({ detail }) => String(detail)).join("\n");
      expect(details).toContain("USING INDEX bookings_by_customer");
      expect(details).not.toContain("TEMP B-TREE");
    },
  );
});

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/status", () => {
  const close = (id: string, status: string) =>
    ask("POST", `/bookings/${id}/status`, { body: { status } });

  it.each(["completed", "no_show"])("sets %s on a confirmed booking once", async (status) => {
    const { booking } = await createBooking(shop, await createService(shop));
    const answer = await close(booking.id, status);
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    expect(await requireData(Promise.resolve(answer))).toEqual({
      ...booking,
      status,
      changeable_until: null,
      updated_at: expect.any(String),
    });
    expect(await listAuditActions(shop)).toContain("booking.status_changed");
    for (const next of ["completed", "no_show"]) {
      expect(ruleOf(await close(booking.id, next))).toEqual([422, "INVALID_STATE"]);
    }
  });

  it("refuses a pending or cancelled booking with INVALID_STATE", async () => {
    const service = await createService(shop);
    const { booking, orderId, token } = await createBooking(shop, service, { pay: cash });
    expect(ruleOf(await close(booking.id, "completed"))).toEqual([422, "INVALID_STATE"]);
    await requireData(
      shopper(shop)("POST", `/orders/${orderId}/cancel?token=${token}`, { body: {} }),
    );
    expect(ruleOf(await close(booking.id, "no_show"))).toEqual([422, "INVALID_STATE"]);
  });

  it("refuses other statuses and unknown bookings", async () => {
    const { booking } = await createBooking(shop, await createService(shop));
    expect((await close(booking.id, "cancelled")).status).toBe(400);
    expect((await close("bk_unknown", "completed")).status).toBe(404);
  });

  it("keeps a completed booking when its order is cancelled later", async () => {
    const { booking, orderId } = await createBooking(shop, await createService(shop));
    await requireData(close(booking.id, "completed"));
    const order = await requireData(ask("POST", `/orders/${orderId}/cancel`, { body: {} }));
    expect(order).toMatchObject({ status: "cancelled", bookings: [{ status: "completed" }] });
  });
});
