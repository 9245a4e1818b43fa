import { describe, expect, it, vi } from "vitest";
import {
  allocateSlots,
  createRecord,
  createService,
  hour,
  openLocation,
} from "../scheduling/create-service.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { createBusinessOnSameShard, merchant, roundTrips, shopper } from "../support/world.ts";
import { bookableDate, createScheduledShop, dateIn, instantOf } from "./scheduled-shop.ts";

const { shop, home, get } = createScheduledShop();

describe("GET /scheduling/services", () => {
  it("lists the services that can be booked, without inactive and archived ones", async () => {
    const ann = await createRecord(shop(), "/staff", { name: "Ann" });
    const room = await createRecord(shop(), "/resources", { name: "Room", capacity: 2 });
    const id = await createService(shop(), {
      description: "An hour of calm",
      buffer_minutes: 10,
      staff_ids: [ann],
      resource_ids: [room],
      variants: [{ name: "Long", duration_minutes: 90 }],
    });
    await createService(shop(), { is_active: false });
    const gone = await createService(shop());
    await merchant(shop())("DELETE", `/services/${gone}`);
    const answer = await get("/services");
    expect(answer.body).toEqual(
      success([
        {
          id,
          product_id: expect.stringMatching(/^prod_/),
          name: "Massage",
          description: "An hour of calm",
          duration_minutes: 60,
          buffer_minutes: 10,
          capacity: 1,
          slot_interval_minutes: 60,
          min_notice_minutes: 0,
          booking_window_days: 90,
          cancellation_notice_minutes: 0,
          require_verified_contact: false,
          price: "80.00",
          compare_at_price: null,
          currency: "GHS",
          variants: [expect.objectContaining({ name: "Long", duration_minutes: 90 })],
          staff: [{ id: ann, name: "Ann" }],
          resources: [{ id: room, name: "Room", capacity: 2 }],
          location_ids: [home()],
          timezone: "Africa/Accra",
        },
      ]),
    );
    expect((await get(`/services/${id}`)).body).toEqual(success(valueAt(answer, "data.0")));
    const byProduct = await get(`/services/${valueAt(answer, "data.0.product_id")}`);
    expect(byProduct.body).toEqual(success(valueAt(answer, "data.0")));
    expect((await get(`/services/${gone}`)).body).toMatchObject(refusal("NOT_FOUND"));
  });

  it("omits archived locations", async () => {
    const ask = merchant(shop());
    const second = await createRecord(shop(), "/locations", { name: "Kiosk" });
    const id = await createService(shop(), { location_ids: [home(), second] });
    const readLocationIds = async () => valueAt(await get(`/services/${id}`), "data.location_ids");
    expect(await readLocationIds()).toEqual([home(), second]);
    expect((await ask("DELETE", `/locations/${second}`)).status).toBe(200);
    vi.setSystemTime(Date.now() + 5_001);
    expect(await readLocationIds()).toEqual([home()]);
    expect((await get(`/slots?service_id=${id}&date=${bookableDate}`)).status).toBe(200);
  });

  it("is cached with an ETag", async () => {
    const ann = await createRecord(shop(), "/staff", { name: "Ann" });
    const id = await createService(shop(), { staff_ids: [ann] });
    const ask = shopper(shop());
    const first = await ask("GET", `/scheduling/services/${id}`);
    const again = await ask("GET", `/scheduling/services/${id}`);
    expect([roundTrips(again).d1, again.body]).toEqual([0, first.body]);
    const tag = first.headers.get("etag") ?? "";
    const same = await ask("GET", `/scheduling/services/${id}`, {
      headers: { "If-None-Match": tag },
    });
    expect(same.status).toBe(304);
  });

  it("does not show services of another business", async () => {
    const id = await createService(await createBusinessOnSameShard(shop()));
    expect((await get("/services")).body).toEqual(success([]));
    expect((await get(`/services/${id}`)).status).toBe(404);
    expect((await get(`/slots?service_id=${id}&date=${bookableDate}`)).status).toBe(404);
  });
});

describe("GET /scheduling/availability", () => {
  const readAvailability = (id: string, first: string, last: string, more = "") =>
    get(`/availability?service_id=${id}&start_date=${first}&end_date=${last}${more}`);

  it("counts the free slots of each day in two round trips", async () => {
    await openLocation(shop(), { closures: [{ date: dateIn(4) }] });
    const id = await createService(shop());
    const fullDay = Array.from({ length: 8 }, (_, index) => ({
      id: `bk_full_${index}`,
      service: id,
      location: home(),
      start: instantOf(dateIn(5), "09:00") + index * hour,
    }));
    await allocateSlots(shop(), ...fullDay, {
      id: "bk_between",
      service: id,
      location: home(),
      start: instantOf(bookableDate, "09:30"),
    });
    await get("/services"); // caches the API key
    const answer = await readAvailability(id, bookableDate, dateIn(5));
    expect(answer.body).toEqual(
      success({
        service_id: id,
        start_date: bookableDate,
        end_date: dateIn(5),
        days: {
          [bookableDate]: { is_available: true, available_slots: 6 },
          [dateIn(4)]: { is_available: false, available_slots: 0 },
          [dateIn(5)]: { is_available: false, available_slots: 0 },
        },
      }),
    );
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
  });

  it("accepts at most 62 days in ascending order", async () => {
    const id = await createService(shop());
    const most = await readAvailability(id, dateIn(1), dateIn(62));
    expect(Object.keys(Object(valueAt(most, "data.days")))).toHaveLength(62);
    for (const [first, last] of [
      [dateIn(1), dateIn(63)],
      [dateIn(2), dateIn(1)],
    ] as const)
      expect((await readAvailability(id, first, last)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "end_date" } }),
      );
    expect((await readAvailability(id, "9999-12-01", "9999-12-31")).status).toBe(200);
    expect((await readAvailability(id, "0000-01-01", "0000-01-31")).status).toBe(200);
  });
});
