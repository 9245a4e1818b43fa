import { describe, expect, it } from "vitest";
import { at, refusal, success } from "../business/given.ts";
import {
  addLocation,
  claim,
  everyDay,
  givenService,
  hour,
  made,
  openLocation,
} from "../scheduling/given.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { clock, dateIn, scheduledShop, slotsOf, soon, startsOf, text } from "./scheduled-shop.ts";

const { shop, home, get } = scheduledShop();

describe("GET /scheduling/slots", () => {
  it("has the slots of a day from opening to closing time, by either id, in two round trips", async () => {
    const id = await givenService(shop());
    await get("/services"); // the key's own look-up
    const answer = await get(`/slots?service_id=${id}&date=${soon}`);
    expect(answer.body).toMatchObject(
      success({ service_id: id, date: soon, duration_minutes: 60 }),
    );
    expect(slotsOf(answer)).toHaveLength(8);
    expect(slotsOf(answer)[0]).toEqual({
      start: text(soon, "09:00"),
      end: text(soon, "10:00"),
      is_available: true,
      remaining_capacity: 1,
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    const productId = at(await get(`/services/${id}`), "data.product_id");
    const byProduct = await get(`/slots?service_id=${productId}&date=${soon}`);
    expect(byProduct.body).toEqual(answer.body);
  });

  it("takes the variant's duration, buffer and capacity", async () => {
    const id = await givenService(shop(), {
      slot_interval_minutes: 120,
      variants: [{ name: "Group", duration_minutes: 180, buffer_minutes: 30, capacity: 5 }],
    });
    const variant = at(await get(`/services/${id}`), "data.variants.0.id");
    await claim(shop(), {
      id: "bk_before",
      service: id,
      location: home(),
      start: clock(soon, "12:20"),
      until: clock(soon, "12:40"),
      participants: 2,
      capacity: 9,
    });
    const answer = await get(`/slots?service_id=${id}&date=${soon}&variant_id=${variant}`);
    expect(at(answer, "data.duration_minutes")).toBe(180);
    expect(slotsOf(answer).map(({ remaining_capacity }) => remaining_capacity)).toEqual([3, 3, 5]);
    expect((await get(`/slots?service_id=${id}&date=${soon}&variant_id=var_x`)).status).toBe(404);
  });

  it("counts bookings and live holds, not those that ended, and asks for all participants", async () => {
    const id = await givenService(shop(), { capacity: 3 });
    const claims = { service: id, location: home(), capacity: 3 };
    await claim(
      shop(),
      { ...claims, id: "bk_1", start: clock(soon, "09:00"), participants: 2 },
      { ...claims, id: "ci_1", start: clock(soon, "10:00"), expires: Date.now() + hour },
      { ...claims, id: "ci_2", start: clock(soon, "11:00"), participants: 3, expires: 1 },
    );
    const one = await get(`/slots?service_id=${id}&date=${soon}`);
    const left = slotsOf(one).map(({ remaining_capacity }) => remaining_capacity);
    expect(left).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
    const two = await get(`/slots?service_id=${id}&date=${soon}&participant_count=2`);
    expect(startsOf(two)[0]).toBe("10:00");
    expect(slotsOf(two).map(({ remaining_capacity }) => remaining_capacity)).toEqual(left);
  });

  it("offers nothing on a closed day, in the past, inside the notice or beyond the window", async () => {
    await openLocation(shop(), { closures: [{ from: dateIn(4), to: dateIn(5) }] });
    const id = await givenService(shop(), {
      booking_window_days: 7,
      min_notice_minutes: 2 * 24 * 60,
    });
    for (const closed of [dateIn(4), dateIn(5)])
      expect(slotsOf(await get(`/slots?service_id=${id}&date=${closed}`))).toEqual([]);
    for (const days of [-2, 0, 1, 8, 400]) {
      const answer = await get(`/slots?service_id=${id}&date=${dateIn(days)}`);
      expect(slotsOf(answer)).toHaveLength(8);
      expect(startsOf(answer)).toEqual([]);
    }
    for (const days of [3, 6, 7])
      expect(startsOf(await get(`/slots?service_id=${id}&date=${dateIn(days)}`))).toHaveLength(8);
  });

  it("is as free as the staff who work then, or the one who is asked for", async () => {
    const hours = everyDay("09:00", "12:00");
    const ann = await made(shop(), "/staff", { name: "Ann", hours });
    const ben = await made(shop(), "/staff", { name: "Ben", time_off: [{ date: dateIn(4) }] });
    const id = await givenService(shop(), { staff_ids: [ann, ben], capacity: 9 });
    const other = await givenService(shop());
    await claim(shop(), {
      id: "bk_ben",
      service: other,
      location: home(),
      staff: ben,
      start: clock(soon, "10:30"),
      until: clock(soon, "14:00"),
    });
    const slots = `/slots?service_id=${id}&date=${soon}`;
    const mornTimes = ["09:00", "10:00", "11:00"];
    expect(startsOf(await get(slots))).toEqual([...mornTimes, "14:00", "15:00", "16:00"]);
    expect(startsOf(await get(`${slots}&staff_id=${ann}`))).toEqual(mornTimes);
    expect(startsOf(await get(`${slots}&staff_id=${ben}`))).toEqual([
      "09:00",
      "14:00",
      "15:00",
      "16:00",
    ]);
    const onLeave = await get(`/slots?service_id=${id}&date=${dateIn(4)}&staff_id=${ben}`);
    expect(startsOf(onLeave)).toEqual([]);
    expect((await get(`${slots}&staff_id=stf_nobody`)).status).toBe(404);
  });

  it("is bounded by the resources that other services use as well", async () => {
    const room = await made(shop(), "/resources", { name: "Room", capacity: 4 });
    const id = await givenService(shop(), { capacity: 9, resource_ids: [room] });
    const other = await givenService(shop(), { resource_ids: [room] });
    await claim(shop(), {
      id: "bk_room",
      service: other,
      location: home(),
      resources: [room],
      participants: 3,
      capacity: 3,
      start: clock(soon, "10:30"),
    });
    const left = async () =>
      slotsOf(await get(`/slots?service_id=${id}&date=${soon}`)).map(
        ({ remaining_capacity }) => remaining_capacity,
      );
    expect(await left()).toEqual([4, 1, 1, 4, 4, 4, 4, 4]);
    await merchant(shop())("DELETE", `/resources/${room}`);
    expect(await left()).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
  });

  it("demands the location of a service that has several", async () => {
    const second = await addLocation(shop());
    const id = await givenService(shop(), { location_ids: [home(), second] });
    const alone = await givenService(shop(), { location_ids: [home()] });
    const paths = [
      `/slots?service_id=${id}&date=${soon}`,
      `/slots/check?service_id=${id}&slot_time=${text(soon, "09:00")}`,
      `/availability?service_id=${id}&start_date=${soon}&end_date=${soon}`,
    ];
    for (const path of paths) {
      expect((await get(path)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "location_id" } }),
      );
      expect((await get(`${path}&location_id=${home()}`)).status).toBe(200);
      expect((await get(`${path}&location_id=loc_x`)).status).toBe(404);
    }
    const elsewhere = `/slots?service_id=${alone}&date=${soon}&location_id=${second}`;
    expect((await get(elsewhere)).status).toBe(404);
  });

  it.each([
    ["service_id", `date=${soon}`],
    ["date", "service_id=svc_x"],
    ["date", "service_id=svc_x&date=2026-02-30"],
    ["participant_count", `service_id=svc_x&date=${soon}&participant_count=0`],
  ])("refuses a bad %s by name", async (field, query) => {
    expect((await get(`/slots?${query}`)).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field } }),
    );
  });
});

describe("GET /scheduling/slots/check", () => {
  const check = (id: string, slotTime: string, more = "") =>
    get(`/slots/check?service_id=${id}&slot_time=${encodeURIComponent(slotTime)}${more}`);

  it("says whether a slot can be booked, and why not", async () => {
    const id = await givenService(shop(), { capacity: 2, booking_window_days: 30 });
    await claim(shop(), {
      id: "bk_one",
      service: id,
      location: home(),
      start: clock(soon, "10:00"),
      capacity: 2,
    });
    await get("/services"); // the key's own look-up
    const free = await check(id, text(soon, "09:00"));
    expect(free.body).toEqual(
      success({
        service_id: id,
        slot_time: text(soon, "09:00"),
        duration_minutes: 60,
        is_available: true,
        remaining_capacity: 2,
        reason: null,
      }),
    );
    expect(roundTrips(free)).toMatchObject({ d1: 2, do: 0 });
    const refused = (reason: string) =>
      success(expect.objectContaining({ reason, is_available: false }));
    const two = "&participant_count=2";
    expect((await check(id, text(soon, "10:00"), two)).body).toEqual(refused("FULLY_BOOKED"));
    for (const time of ["08:00", "16:30", "17:00", "09:10"])
      expect((await check(id, text(soon, time))).body).toEqual(refused("OUTSIDE_HOURS"));
    expect((await check(id, text(dateIn(-1), "09:00"))).body).toEqual(refused("TOO_SOON"));
    expect((await check(id, text(dateIn(31), "09:00"))).body).toEqual(refused("TOO_LATE"));
    expect((await check(id, "9999-12-31T09:00:00Z")).body).toEqual(refused("TOO_LATE"));
    expect((await check(id, "0001-01-01T09:00:00Z")).status).toBe(200);
  });

  it("takes any offset, and another duration", async () => {
    const id = await givenService(shop());
    const answer = await check(id, `${soon}T10:00:00+01:00`, "&duration_minutes=480");
    expect(answer.body).toMatchObject(
      success({ slot_time: text(soon, "09:00"), duration_minutes: 480, is_available: true }),
    );
    const longer = await check(id, text(soon, "09:00"), "&duration_minutes=481");
    expect(longer.body).toMatchObject(success({ reason: "OUTSIDE_HOURS" }));
  });

  it("takes the + of an offset also where it was not encoded, and so arrives as a space", async () => {
    const id = await givenService(shop());
    for (const offset of ["+01:00", "+0100", "+01"]) {
      const answer = await get(`/slots/check?service_id=${id}&slot_time=${soon}T10:00:00${offset}`);
      expect(answer.body).toMatchObject(success({ slot_time: text(soon, "09:00") }));
    }
    for (const time of [`${soon} 10:00:00Z`, `${soon}T10:00:00 `, `${soon}T10:00:00 1`]) {
      expect((await check(id, time)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "slot_time" } }),
      );
    }
  });

  it("says that nobody can give it, of a service whose staff have all left", async () => {
    const ann = await made(shop(), "/staff", { name: "Ann" });
    const id = await givenService(shop(), { staff_ids: [ann] });
    expect((await check(id, text(soon, "09:00"))).body).toMatchObject(success({ reason: null }));
    await merchant(shop())("DELETE", `/staff/${ann}`);
    expect((await check(id, text(soon, "09:00"))).body).toMatchObject(
      success({ reason: "STAFF_UNAVAILABLE" }),
    );
  });
});
