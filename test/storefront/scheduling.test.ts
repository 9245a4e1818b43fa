import { describe, expect, it, vi } from "vitest";
import { at, refusal, success } from "../business/given.ts";
import { claim, givenService, hour, made, openLocation } from "../scheduling/given.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import { clock, dateIn, scheduledShop, soon } from "./scheduled-shop.ts";

const { shop, home, get } = scheduledShop();

describe("GET /scheduling/services", () => {
  it("is an array of what can be booked, without the inactive and the archived", async () => {
    const ann = await made(shop(), "/staff", { name: "Ann" });
    const room = await made(shop(), "/resources", { name: "Room", capacity: 2 });
    const id = await givenService(shop(), {
      description: "An hour of calm",
      buffer_minutes: 10,
      staff_ids: [ann],
      resource_ids: [room],
      variants: [{ name: "Long", duration_minutes: 90 }],
    });
    await givenService(shop(), { is_active: false });
    const gone = await givenService(shop());
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
          price: "80.00",
          currency: "GHS",
          variants: [expect.objectContaining({ name: "Long", duration_minutes: 90 })],
          staff: [{ id: ann, name: "Ann" }],
          resources: [{ id: room, name: "Room", capacity: 2 }],
          location_ids: [home()],
          timezone: "Africa/Accra",
        },
      ]),
    );
    expect((await get(`/services/${id}`)).body).toEqual(success(at(answer, "data.0")));
    const byProduct = await get(`/services/${at(answer, "data.0.product_id")}`);
    expect(byProduct.body).toEqual(success(at(answer, "data.0")));
    expect((await get(`/services/${gone}`)).body).toMatchObject(refusal("NOT_FOUND"));
  });

  it("shows of where a service is offered the locations that still stand", async () => {
    const ask = merchant(shop());
    const second = await made(shop(), "/locations", { name: "Kiosk" });
    const id = await givenService(shop(), { location_ids: [home(), second] });
    const placesOf = async () => at(await get(`/services/${id}`), "data.location_ids");
    expect(await placesOf()).toEqual([home(), second]);
    expect((await ask("DELETE", `/locations/${second}`)).status).toBe(200);
    vi.setSystemTime(Date.now() + 5_001);
    expect(await placesOf()).toEqual([home()]);
    expect((await get(`/slots?service_id=${id}&date=${soon}`)).status).toBe(200);
  });

  it("is remembered with a tag until a merchant changes what it says", async () => {
    const ann = await made(shop(), "/staff", { name: "Ann" });
    const id = await givenService(shop(), { staff_ids: [ann] });
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

  it("shows nobody another business's", async () => {
    const id = await givenService(await givenNeighbour(shop()));
    expect((await get("/services")).body).toEqual(success([]));
    expect((await get(`/services/${id}`)).status).toBe(404);
    expect((await get(`/slots?service_id=${id}&date=${soon}`)).status).toBe(404);
  });
});

describe("GET /scheduling/availability", () => {
  const ofDays = (id: string, first: string, last: string, more = "") =>
    get(`/availability?service_id=${id}&start_date=${first}&end_date=${last}${more}`);

  it("counts the slots of each day that can be booked, in two round trips", async () => {
    await openLocation(shop(), { closures: [{ date: dateIn(4) }] });
    const id = await givenService(shop());
    const fullDay = Array.from({ length: 8 }, (_, index) => ({
      id: `bk_full_${index}`,
      service: id,
      location: home(),
      start: clock(dateIn(5), "09:00") + index * hour,
    }));
    await claim(shop(), ...fullDay, {
      id: "bk_between",
      service: id,
      location: home(),
      start: clock(soon, "09:30"),
    });
    await get("/services"); // the key's own look-up
    const answer = await ofDays(id, soon, dateIn(5));
    expect(answer.body).toEqual(
      success({
        service_id: id,
        start_date: soon,
        end_date: dateIn(5),
        days: {
          [soon]: { is_available: true, available_slots: 6 },
          [dateIn(4)]: { is_available: false, available_slots: 0 },
          [dateIn(5)]: { is_available: false, available_slots: 0 },
        },
      }),
    );
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
  });

  it("takes 62 days and no more, in their order", async () => {
    const id = await givenService(shop());
    const most = await ofDays(id, dateIn(1), dateIn(62));
    expect(Object.keys(Object(at(most, "data.days")))).toHaveLength(62);
    for (const [first, last] of [
      [dateIn(1), dateIn(63)],
      [dateIn(2), dateIn(1)],
    ] as const)
      expect((await ofDays(id, first, last)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "end_date" } }),
      );
    expect((await ofDays(id, "9999-12-01", "9999-12-31")).status).toBe(200);
    expect((await ofDays(id, "0000-01-01", "0000-01-31")).status).toBe(200);
  });
});
