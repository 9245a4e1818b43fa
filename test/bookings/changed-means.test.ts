import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, shopper } from "../support/world.ts";
import {
  type Ask,
  at,
  book,
  cancel,
  checkOut,
  claimsOf,
  givenBooking,
  givenResource,
  givenService,
  givenShop,
  givenStaff,
  had,
  move,
  ruleOf,
  type Shop,
} from "./given.ts";

let shop: Shop;
let ask: Ask;

beforeEach(async () => {
  shop = await givenShop();
  ask = shopper(shop);
});

/** What the merchant changes is known everywhere after five seconds (architecture.md). */
async function changed(
  method: "POST" | "DELETE" | "PATCH",
  path: string,
  body?: object,
): Promise<{ id: string }> {
  const record = await had(merchant(shop)(method, path, body && { body }));
  vi.setSystemTime(Date.now() + 6_000);
  return record;
}

const gone = (reason: string) => ({
  status: 422,
  body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason } } },
});

/** Refused before anything is placed: the cart stays as it was, for the shopper to choose anew. */
async function demandNotSold(reason: string): Promise<void> {
  expect(await checkOut(ask)).toMatchObject(gone(reason));
  expect((await had(ask("GET", "/cart"))).items).toHaveLength(1);
  const orders = await rowsOf(
    shop,
    "select id from orders where business_id = ?",
    shop.business.id,
  );
  expect(orders).toEqual([]);
}

describe("a staff member who is removed", () => {
  it("keeps their bookings, which are moved to whoever is left, and else stay where they are", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama, kofi] });
    const alone = await givenService(shop, { name: "Cut", staff_ids: [ama] });
    const placed = await givenBooking(shop, service, { fields: { staff_id: ama } });
    const stuck = await givenBooking(shop, alone, { when: at(11) });
    await changed("DELETE", `/staff/${ama}`);
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await had(ask("GET", path))).toMatchObject({ staff_id: ama, status: "confirmed" });
    expect((await move(ask, placed, at(14), { new_staff_id: ama })).status).toBe(404);
    expect(await had(move(ask, placed, at(14)))).toMatchObject({ staff_id: kofi });
    expect(await move(ask, stuck, at(15))).toMatchObject(gone("STAFF_UNAVAILABLE"));
    expect(await claimsOf(shop)).toEqual([
      ["booking", 1, at(11)],
      ["booking", 1, at(14)],
    ]);
    expect(await had(cancel(ask, stuck))).toMatchObject({ status: "cancelled" });
  });

  it("is not sold out of a cart that holds them by name", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama, kofi] });
    await had(book(ask, service, at(9), { staff_id: ama }));
    await changed("DELETE", `/staff/${ama}`);
    await demandNotSold("STAFF_UNAVAILABLE");
  });

  it("gives way to whoever is left in a cart that named nobody", async () => {
    const [ama, kofi] = [await givenStaff(shop), await givenStaff(shop, "Kofi")];
    const service = await givenService(shop, { staff_ids: [ama, kofi] });
    await had(book(ask, service, at(9)));
    await changed("DELETE", `/staff/${ama}`);
    const { order_id, bill_token } = await had(checkOut(ask));
    const order = await had(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    expect(order.bookings).toMatchObject([{ staff_id: kofi }]);
  });
});

describe("a resource that is removed", () => {
  it("bounds neither the booking that is moved nor the hold that is bought, and no other place is lost", async () => {
    const room = await givenResource(shop, 1);
    const service = await givenService(shop, { capacity: 2, resource_ids: [room] });
    const placed = await givenBooking(shop, service);
    await givenBooking(shop, service, { when: at(14) });
    await had(book(ask, service, at(11)));
    expect(await move(shopper(shop), placed, at(14))).toMatchObject(gone("FULLY_BOOKED"));
    await changed("DELETE", `/resources/${room}`);
    await had(move(shopper(shop), placed, at(14)));
    await had(checkOut(ask));
    expect(await claimsOf(shop)).toEqual([
      ["booking", 1, at(11)],
      ["booking", 1, at(14)],
      ["booking", 1, at(14)],
    ]);
    expect(await book(shopper(shop), service, at(14))).toMatchObject(gone("FULLY_BOOKED"));
  });
});

describe("a location that is removed", () => {
  it("keeps its bookings, which can be cancelled and not moved; what carts held there is given back", async () => {
    const { operatingHours: operating_hours } = Object(shop.business.locations[0]);
    const { id } = await changed("POST", "/locations", {
      name: "Second",
      timezone: "Africa/Accra",
      operating_hours,
    });
    const service = await givenService(shop, { location_ids: [id] });
    const placed = await givenBooking(shop, service);
    await had(book(ask, service, at(11)));
    await changed("DELETE", `/locations/${id}`);
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await had(ask("GET", path))).toMatchObject({ location_id: id, status: "confirmed" });
    expect(await move(ask, placed, at(14))).toMatchObject(gone("OUTSIDE_HOURS"));
    expect(ruleOf(await checkOut(ask))).toEqual([422, "ITEM_UNAVAILABLE"]);
    expect(await had(cancel(ask, placed))).toMatchObject({ status: "cancelled" });
    expect(await claimsOf(shop)).toEqual([]);
  });
});

describe("a service that lasts longer, or shorter, from now on", () => {
  it.each([30, 90])(
    "of %d minutes leaves bookings as long as they were, in nobody else's time",
    async (duration_minutes) => {
      const service = await givenService(shop, { slot_interval_minutes: 30 });
      const placed = await givenBooking(shop, service, { when: at(10) });
      await changed("PATCH", `/services/${service.id}`, { duration_minutes });
      const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
      expect(await had(ask("GET", path))).toMatchObject({ start_time: at(10), end_time: at(11) });
      expect(await book(ask, service, at(10, 30))).toMatchObject(gone("FULLY_BOOKED"));
      const before = new Date(Date.parse(at(10)) - duration_minutes * 60_000).toISOString();
      for (const when of [before, at(11)]) await had(book(ask, service, when));
    },
  );

  it("is not sold at times that a cart's line did not ask for", async () => {
    const service = await givenService(shop);
    await had(book(ask, service, at(9)));
    await changed("PATCH", `/services/${service.id}`, { duration_minutes: 30 });
    await demandNotSold("OUTSIDE_HOURS");
  });
});

describe("a change of the clocks", () => {
  /** Open all night in Berlin, where the clocks change at 01:00 UTC. */
  async function givenNight(when: string) {
    const hours = JSON.stringify({ sun: [{ open: "00:00", close: "06:00" }] });
    await env.CORE.prepare(
      "update locations set timezone = 'Europe/Berlin', operating_hours = ? where business_id = ?",
    )
      .bind(hours, shop.business.id)
      .run();
    vi.setSystemTime(Date.parse(when) - 86_400_000);
    return givenService(shop, { slot_interval_minutes: 60 });
  }

  const startsOn = async (date: string, { id }: { id: string }): Promise<string[]> => {
    const { slots } = await had(ask("GET", `/scheduling/slots?service_id=${id}&date=${date}`));
    return slots.map(({ start }: { start: string }) => start.slice(0, 16));
  };

  it("has no slot in the hour that it skips: what would begin there begins after it", async () => {
    const service = await givenNight("2030-03-31T00:00:00Z");
    expect(await startsOn("2030-03-31", service)).toEqual(
      ["30T23", "31T00", "31T01", "31T02", "31T03"].map((hour) => `2030-03-${hour}:00`),
    );
    // 01:00 and 03:00 on the walls are an hour apart: the booking of the first ends where the second begins.
    await givenBooking(shop, service, { when: "2030-03-31T01:00:00+01:00" });
    await givenBooking(shop, service, { when: "2030-03-31T03:00:00+02:00" });
    expect(await book(ask, service, "2030-03-31T02:00:00+01:00")).toMatchObject(
      gone("FULLY_BOOKED"), // the same moment as 03:00, by the clock of before
    );
  });

  it("has the hour that it repeats twice, and books each of the two once", async () => {
    const service = await givenNight("2030-10-27T00:00:00Z");
    expect(await startsOn("2030-10-27", service)).toEqual(
      ["26T22", "26T23", "27T00", "27T01", "27T02", "27T03", "27T04"].map(
        (hour) => `2030-10-${hour}:00`,
      ),
    );
    for (const when of ["2030-10-27T02:00:00+02:00", "2030-10-27T02:00:00+01:00"]) {
      const { booking } = await givenBooking(shop, service, { when });
      expect(Date.parse(booking.end_time) - Date.parse(booking.start_time)).toBe(3_600_000);
      expect(await book(ask, service, when)).toMatchObject(gone("FULLY_BOOKED"));
    }
  });
});
