import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { selectRows } from "../support/select-rows.ts";
import { merchant, shopper } from "../support/world.ts";
import {
  addSlotToCart,
  at,
  type BookingShop,
  cancelBooking,
  checkOut,
  createBooking,
  createBookingShop,
  createResource,
  createService,
  createStaffMember,
  listSlotAllocations,
  requireData,
  rescheduleBooking,
  ruleOf,
  type ShopperClient,
} from "./create-booking.ts";

let shop: BookingShop;
let ask: ShopperClient;

beforeEach(async () => {
  shop = await createBookingShop();
  ask = shopper(shop);
});

/** Changes a record as the merchant, and advances the clock past the caches' lifetime of five seconds. */
async function changeRecord(
  method: "POST" | "DELETE" | "PATCH",
  path: string,
  body?: object,
): Promise<{ id: string }> {
  const record = await requireData(merchant(shop)(method, path, body && { body }));
  vi.setSystemTime(Date.now() + 6_000);
  return record;
}

const slotUnavailableFor = (reason: string) => ({
  status: 422,
  body: { error: { context: { rule: "SLOT_UNAVAILABLE", reason } } },
});

/** Expects a checkout that is refused, creates no order and leaves the cart unchanged. */
async function expectCheckoutRefused(reason: string): Promise<void> {
  expect(await checkOut(ask)).toMatchObject(slotUnavailableFor(reason));
  expect((await requireData(ask("GET", "/cart"))).items).toHaveLength(1);
  const orders = await selectRows(
    shop,
    "select id from orders where business_id = ?",
    shop.business.id,
  );
  expect(orders).toEqual([]);
}

describe("archiving a staff member", () => {
  it("keeps their bookings, which can only be rescheduled to other staff", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama, kofi] });
    const alone = await createService(shop, { name: "Cut", staff_ids: [ama] });
    const placed = await createBooking(shop, service, { fields: { staff_id: ama } });
    const stuck = await createBooking(shop, alone, { when: at(11) });
    await changeRecord("DELETE", `/staff/${ama}`);
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await requireData(ask("GET", path))).toMatchObject({
      staff_id: ama,
      status: "confirmed",
    });
    expect((await rescheduleBooking(ask, placed, at(14), { new_staff_id: ama })).status).toBe(404);
    expect(await requireData(rescheduleBooking(ask, placed, at(14)))).toMatchObject({
      staff_id: kofi,
    });
    expect(await rescheduleBooking(ask, stuck, at(15))).toMatchObject(
      slotUnavailableFor("STAFF_UNAVAILABLE"),
    );
    expect(await listSlotAllocations(shop)).toEqual([
      ["booking", 1, at(11)],
      ["booking", 1, at(14)],
    ]);
    expect(await requireData(cancelBooking(ask, stuck))).toMatchObject({ status: "cancelled" });
  });

  it("refuses the checkout of a line that names them", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama, kofi] });
    await requireData(addSlotToCart(ask, service, at(9), { staff_id: ama }));
    await changeRecord("DELETE", `/staff/${ama}`);
    await expectCheckoutRefused("STAFF_UNAVAILABLE");
  });

  it("assigns other staff at checkout to a line that names nobody", async () => {
    const [ama, kofi] = [await createStaffMember(shop), await createStaffMember(shop, "Kofi")];
    const service = await createService(shop, { staff_ids: [ama, kofi] });
    await requireData(addSlotToCart(ask, service, at(9)));
    await changeRecord("DELETE", `/staff/${ama}`);
    const { order_id, bill_token } = await requireData(checkOut(ask));
    const order = await requireData(ask("GET", `/orders/${order_id}?token=${bill_token}`));
    expect(order.bookings).toMatchObject([{ staff_id: kofi }]);
  });
});

describe("archiving a resource", () => {
  it("lifts its limit for rescheduling and checkout, while the service keeps its own capacity", async () => {
    const room = await createResource(shop, 1);
    const service = await createService(shop, { capacity: 2, resource_ids: [room] });
    const placed = await createBooking(shop, service);
    await createBooking(shop, service, { when: at(14) });
    await requireData(addSlotToCart(ask, service, at(11)));
    expect(await rescheduleBooking(shopper(shop), placed, at(14))).toMatchObject(
      slotUnavailableFor("FULLY_BOOKED"),
    );
    await changeRecord("DELETE", `/resources/${room}`);
    await requireData(rescheduleBooking(shopper(shop), placed, at(14)));
    await requireData(checkOut(ask));
    expect(await listSlotAllocations(shop)).toEqual([
      ["booking", 1, at(11)],
      ["booking", 1, at(14)],
      ["booking", 1, at(14)],
    ]);
    expect(await addSlotToCart(shopper(shop), service, at(14))).toMatchObject(
      slotUnavailableFor("FULLY_BOOKED"),
    );
  });
});

describe("archiving a location", () => {
  it("keeps its bookings, which can only be cancelled, and releases the slots held by carts", async () => {
    const { operatingHours: operating_hours } = Object(shop.business.locations[0]);
    const { id } = await changeRecord("POST", "/locations", {
      name: "Second",
      timezone: "Africa/Accra",
      operating_hours,
    });
    const service = await createService(shop, { location_ids: [id] });
    const placed = await createBooking(shop, service);
    await requireData(addSlotToCart(ask, service, at(11)));
    await changeRecord("DELETE", `/locations/${id}`);
    const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
    expect(await requireData(ask("GET", path))).toMatchObject({
      location_id: id,
      status: "confirmed",
    });
    expect(await rescheduleBooking(ask, placed, at(14))).toMatchObject(
      slotUnavailableFor("OUTSIDE_HOURS"),
    );
    expect(ruleOf(await checkOut(ask))).toEqual([422, "ITEM_UNAVAILABLE"]);
    expect(await requireData(cancelBooking(ask, placed))).toMatchObject({ status: "cancelled" });
    expect(await listSlotAllocations(shop)).toEqual([]);
  });
});

describe("lowering the capacity of a service", () => {
  it("refuses the checkout of a held slot that has no room for all of its holds", async () => {
    const service = await createService(shop, { capacity: 2 });
    await requireData(addSlotToCart(ask, service, at(9)));
    await requireData(addSlotToCart(shopper(shop), service, at(9)));
    await changeRecord("PATCH", `/services/${service.id}`, { capacity: 1 });
    await expectCheckoutRefused("FULLY_BOOKED");
  });
});

describe("changing the duration of a service", () => {
  it.each([30, 90])(
    "to %d minutes keeps the duration of existing bookings without overlaps",
    async (duration_minutes) => {
      const service = await createService(shop, { slot_interval_minutes: 30 });
      const placed = await createBooking(shop, service, { when: at(10) });
      await changeRecord("PATCH", `/services/${service.id}`, { duration_minutes });
      const path = `/scheduling/bookings/${placed.booking.id}?token=${placed.token}`;
      expect(await requireData(ask("GET", path))).toMatchObject({
        start_time: at(10),
        end_time: at(11),
      });
      expect(await addSlotToCart(ask, service, at(10, 30))).toMatchObject(
        slotUnavailableFor("FULLY_BOOKED"),
      );
      const before = new Date(Date.parse(at(10)) - duration_minutes * 60_000).toISOString();
      for (const when of [before, at(11)]) await requireData(addSlotToCart(ask, service, when));
    },
  );

  it("refuses the checkout of a line with the old duration", async () => {
    const service = await createService(shop);
    await requireData(addSlotToCart(ask, service, at(9)));
    await changeRecord("PATCH", `/services/${service.id}`, { duration_minutes: 30 });
    await expectCheckoutRefused("OUTSIDE_HOURS");
  });
});

describe("a clock change", () => {
  /** Creates a service that is open all night in Berlin, where clocks change at 01:00 UTC. */
  async function createNightService(when: string) {
    const hours = JSON.stringify({ sun: [{ open: "00:00", close: "06:00" }] });
    await env.CORE.prepare(
      "update locations set timezone = 'Europe/Berlin', operating_hours = ? where business_id = ?",
    )
      .bind(hours, shop.business.id)
      .run();
    vi.setSystemTime(Date.parse(when) - 86_400_000);
    return createService(shop, { slot_interval_minutes: 60 });
  }

  const startsOn = async (date: string, { id }: { id: string }): Promise<string[]> => {
    const { slots } = await requireData(
      ask("GET", `/scheduling/slots?service_id=${id}&date=${date}`),
    );
    return slots.map(({ start }: { start: string }) => start.slice(0, 16));
  };

  it("has no slot in the hour that it skips: what would begin there begins after it", async () => {
    const service = await createNightService("2030-03-31T00:00:00Z");
    expect(await startsOn("2030-03-31", service)).toEqual(
      ["30T23", "31T00", "31T01", "31T02", "31T03"].map((hour) => `2030-03-${hour}:00`),
    );
    // 01:00 and 03:00 on the walls are an hour apart: the booking of the first ends where the second begins.
    await createBooking(shop, service, { when: "2030-03-31T01:00:00+01:00" });
    await createBooking(shop, service, { when: "2030-03-31T03:00:00+02:00" });
    expect(await addSlotToCart(ask, service, "2030-03-31T02:00:00+01:00")).toMatchObject(
      slotUnavailableFor("FULLY_BOOKED"), // the same moment as 03:00, by the clock of before
    );
  });

  it("offers a repeated hour twice and books each of them once", async () => {
    const service = await createNightService("2030-10-27T00:00:00Z");
    expect(await startsOn("2030-10-27", service)).toEqual(
      ["26T22", "26T23", "27T00", "27T01", "27T02", "27T03", "27T04"].map(
        (hour) => `2030-10-${hour}:00`,
      ),
    );
    for (const when of ["2030-10-27T02:00:00+02:00", "2030-10-27T02:00:00+01:00"]) {
      const { booking } = await createBooking(shop, service, { when });
      expect(Date.parse(booking.end_time) - Date.parse(booking.start_time)).toBe(3_600_000);
      expect(await addSlotToCart(ask, service, when)).toMatchObject(
        slotUnavailableFor("FULLY_BOOKED"),
      );
    }
  });
});
