import { beforeEach, describe, expect, it } from "vitest";
import { bookingListRepo } from "../../shared/scheduling/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { contextFor, merchant, roundTrips, shopper } from "../support/world.ts";
import {
  at,
  cash,
  givenBooking,
  givenService,
  givenShop,
  had,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenShop();
  ask = merchant(shop);
});

const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

describe("GET /v1/businesses/{business_id}/bookings", () => {
  it("is a calendar by the start, in pages, narrowed by time, service and status", async () => {
    const [massage, cut] = [await givenService(shop), await givenService(shop, { name: "Cut" })];
    const nine = await givenBooking(shop, massage);
    const eleven = await givenBooking(shop, cut, { when: at(11), pay: cash });
    const ten = await givenBooking(shop, massage, { when: at(10) });
    const all = [nine, ten, eleven].map(({ booking }) => booking.id);
    expect(idsOf(await had(ask("GET", "/bookings")))).toEqual(all);
    expect(idsOf(await had(ask("GET", `/bookings?from=${at(10)}&to=${at(10)}`)))).toEqual([all[1]]);
    for (const named of [cut.id, cut.product_id]) {
      expect(idsOf(await had(ask("GET", `/bookings?service_id=${named}`)))).toEqual([all[2]]);
    }
    expect(idsOf(await had(ask("GET", "/bookings?status=pending")))).toEqual([all[2]]);
    expect(
      idsOf(await had(ask("GET", `/bookings?status=pending&service_id=${massage.id}`))),
    ).toEqual([]);
    const first = await had(ask("GET", "/bookings?limit=2"));
    expect(idsOf(first)).toEqual(all.slice(0, 2));
    const { next_cursor } = first.pagination;
    expect(idsOf(await had(ask("GET", `/bookings?cursor=${next_cursor}`)))).toEqual([all[2]]);
    expect(roundTrips(await ask("GET", "/bookings")).d1).toBe(1);
    expect(first.items[0]).toEqual(nine.booking);
  });

  it.each([
    ["bookings_by_start", {}],
    ["bookings_by_start", { from: 1, to: 2 }],
    ["bookings_by_service", { serviceId: "svc_any" }],
    ["bookings_by_service", { serviceId: "svc_any", status: "pending" as const }],
    ["bookings_by_status", { status: "pending" as const, from: 1 }],
  ])("is served by the index %s for %j", async (index, filter) => {
    const asked: string[] = [];
    const ctx = contextFor(shop);
    const page = { limit: 20, after: { startTime: 1, id: "bk_any" } };
    const { sql, params } = bookingListRepo(ctx).query(filter, page).toSQL();
    const plan = await rowsOf(shop, `explain query plan ${sql}`, ...params);
    for (const { detail } of plan) asked.push(String(detail));
    expect(asked.join("\n")).toContain(`USING INDEX ${index}`);
    expect(asked.join("\n")).not.toMatch(/SCAN bookings|TEMP B-TREE/);
  });

  it.each(["upcoming", "past", null] as const)(
    "a customer's (%s) are served by their index",
    async (when) => {
      const page = { when, now: 1, limit: 20, offset: 0 };
      const { sql, params } = bookingListRepo(contextFor(shop)).ofCustomer("cus_any", page).toSQL();
      const plan = await rowsOf(shop, `explain query plan ${sql}`, ...params);
      const details = plan.map(({ detail }) => String(detail)).join("\n");
      expect(details).toContain("USING INDEX bookings_by_customer");
      expect(details).not.toContain("TEMP B-TREE");
    },
  );
});

describe("POST /v1/businesses/{business_id}/bookings/{booking_id}/status", () => {
  const close = (id: string, status: string) =>
    ask("POST", `/bookings/${id}/status`, { body: { status } });

  it.each(["completed", "no_show"])(
    "says %s of a confirmed one, once and for all",
    async (status) => {
      const { booking } = await givenBooking(shop, await givenService(shop));
      const answer = await close(booking.id, status);
      expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
      expect(await had(Promise.resolve(answer))).toEqual({
        ...booking,
        status,
        updated_at: expect.any(String),
      });
      expect(await auditedActions(shop)).toContain("booking.status_changed");
      for (const next of ["completed", "no_show"]) {
        expect(ruleOf(await close(booking.id, next))).toEqual([422, "INVALID_STATE"]);
      }
    },
  );

  it("is INVALID_STATE for one that waits for its order, or was cancelled", async () => {
    const service = await givenService(shop);
    const { booking, orderId, token } = await givenBooking(shop, service, { pay: cash });
    expect(ruleOf(await close(booking.id, "completed"))).toEqual([422, "INVALID_STATE"]);
    await had(shopper(shop)("POST", `/orders/${orderId}/cancel?token=${token}`, { body: {} }));
    expect(ruleOf(await close(booking.id, "no_show"))).toEqual([422, "INVALID_STATE"]);
  });

  it("takes no other status, and no other business's booking", async () => {
    const { booking } = await givenBooking(shop, await givenService(shop));
    expect((await close(booking.id, "cancelled")).status).toBe(400);
    expect((await close("bk_unknown", "completed")).status).toBe(404);
  });

  it("stays as it was when its order is cancelled afterwards", async () => {
    const { booking, orderId } = await givenBooking(shop, await givenService(shop));
    await had(close(booking.id, "completed"));
    const order = await had(ask("POST", `/orders/${orderId}/cancel`, { body: {} }));
    expect(order).toMatchObject({ status: "cancelled", bookings: [{ status: "completed" }] });
  });
});
