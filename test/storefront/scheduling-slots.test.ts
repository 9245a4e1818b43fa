import { describe, expect, it } from "vitest";
import {
  addLocation,
  allocateSlots,
  createRecord,
  createService,
  everyDay,
  hour,
  openLocation,
} from "../scheduling/create-service.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { merchant, roundTrips } from "../support/world.ts";
import {
  bookableDate,
  createScheduledShop,
  dateIn,
  instantOf,
  instantText,
  slotsOf,
  startsOf,
} from "./scheduled-shop.ts";

const { shop, home, get } = createScheduledShop();

describe("GET /scheduling/slots", () => {
  it("lists the slots of a day by service or product id, in two round trips", async () => {
    const id = await createService(shop());
    await get("/services"); // caches the API key
    const answer = await get(`/slots?service_id=${id}&date=${bookableDate}`);
    expect(answer.body).toMatchObject(
      success({ service_id: id, date: bookableDate, duration_minutes: 60 }),
    );
    expect(slotsOf(answer)).toHaveLength(8);
    expect(slotsOf(answer)[0]).toEqual({
      start: instantText(bookableDate, "09:00"),
      end: instantText(bookableDate, "10:00"),
      is_available: true,
      remaining_capacity: 1,
    });
    expect(roundTrips(answer)).toMatchObject({ d1: 2, do: 0 });
    const productId = valueAt(await get(`/services/${id}`), "data.product_id");
    const byProduct = await get(`/slots?service_id=${productId}&date=${bookableDate}`);
    expect(byProduct.body).toEqual(answer.body);
  });

  it("uses the duration, buffer and capacity of the variant", async () => {
    const id = await createService(shop(), {
      slot_interval_minutes: 120,
      variants: [{ name: "Group", duration_minutes: 180, buffer_minutes: 30, capacity: 5 }],
    });
    const variant = valueAt(await get(`/services/${id}`), "data.variants.0.id");
    await allocateSlots(shop(), {
      id: "bk_before",
      service: id,
      location: home(),
      start: instantOf(bookableDate, "12:20"),
      until: instantOf(bookableDate, "12:40"),
      participants: 2,
      capacity: 9,
    });
    const answer = await get(`/slots?service_id=${id}&date=${bookableDate}&variant_id=${variant}`);
    expect(valueAt(answer, "data.duration_minutes")).toBe(180);
    expect(slotsOf(answer).map(({ remaining_capacity }) => remaining_capacity)).toEqual([3, 3, 5]);
    expect(
      (await get(`/slots?service_id=${id}&date=${bookableDate}&variant_id=var_x`)).status,
    ).toBe(404);
  });

  it("subtracts bookings and live holds, and requires capacity for all participants", async () => {
    const id = await createService(shop(), { capacity: 3 });
    const allocation = { service: id, location: home(), capacity: 3 };
    await allocateSlots(
      shop(),
      { ...allocation, id: "bk_1", start: instantOf(bookableDate, "09:00"), participants: 2 },
      {
        ...allocation,
        id: "ci_1",
        start: instantOf(bookableDate, "10:00"),
        expires: Date.now() + hour,
      },
      {
        ...allocation,
        id: "ci_2",
        start: instantOf(bookableDate, "11:00"),
        participants: 3,
        expires: 1,
      },
    );
    const one = await get(`/slots?service_id=${id}&date=${bookableDate}`);
    const remaining = slotsOf(one).map(({ remaining_capacity }) => remaining_capacity);
    expect(remaining).toEqual([1, 2, 3, 3, 3, 3, 3, 3]);
    const two = await get(`/slots?service_id=${id}&date=${bookableDate}&participant_count=2`);
    expect(startsOf(two)[0]).toBe("10:00");
    expect(slotsOf(two).map(({ remaining_capacity }) => remaining_capacity)).toEqual(remaining);
  });

  it("has no free slots on closed days, in the past, within the notice or after the booking window", async () => {
    await openLocation(shop(), { closures: [{ from: dateIn(4), to: dateIn(5) }] });
    const id = await createService(shop(), {
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

  it("depends on the working staff, or on the requested staff member", async () => {
    const hours = everyDay("09:00", "12:00");
    const ann = await createRecord(shop(), "/staff", { name: "Ann", hours });
    const ben = await createRecord(shop(), "/staff", {
      name: "Ben",
      time_off: [{ date: dateIn(4) }],
    });
    const id = await createService(shop(), { staff_ids: [ann, ben], capacity: 9 });
    const other = await createService(shop());
    await allocateSlots(shop(), {
      id: "bk_ben",
      service: other,
      location: home(),
      staff: ben,
      start: instantOf(bookableDate, "10:30"),
      until: instantOf(bookableDate, "14:00"),
    });
    const slots = `/slots?service_id=${id}&date=${bookableDate}`;
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

  it("is limited by resources that other services use", async () => {
    const room = await createRecord(shop(), "/resources", { name: "Room", capacity: 4 });
    const id = await createService(shop(), { capacity: 9, resource_ids: [room] });
    const other = await createService(shop(), { resource_ids: [room] });
    await allocateSlots(shop(), {
      id: "bk_room",
      service: other,
      location: home(),
      resources: [room],
      participants: 3,
      capacity: 3,
      start: instantOf(bookableDate, "10:30"),
    });
    const readRemainingCapacity = async () =>
      slotsOf(await get(`/slots?service_id=${id}&date=${bookableDate}`)).map(
        ({ remaining_capacity }) => remaining_capacity,
      );
    expect(await readRemainingCapacity()).toEqual([4, 1, 1, 4, 4, 4, 4, 4]);
    await merchant(shop())("DELETE", `/resources/${room}`);
    expect(await readRemainingCapacity()).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
  });

  it("requires a location when the service has several", async () => {
    const second = await addLocation(shop());
    const id = await createService(shop(), { location_ids: [home(), second] });
    const alone = await createService(shop(), { location_ids: [home()] });
    const paths = [
      `/slots?service_id=${id}&date=${bookableDate}`,
      `/slots/check?service_id=${id}&slot_time=${instantText(bookableDate, "09:00")}`,
      `/availability?service_id=${id}&start_date=${bookableDate}&end_date=${bookableDate}`,
    ];
    for (const path of paths) {
      expect((await get(path)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "location_id" } }),
      );
      expect((await get(`${path}&location_id=${home()}`)).status).toBe(200);
      expect((await get(`${path}&location_id=loc_x`)).status).toBe(404);
    }
    const elsewhere = `/slots?service_id=${alone}&date=${bookableDate}&location_id=${second}`;
    expect((await get(elsewhere)).status).toBe(404);
  });

  it.each([
    ["service_id", `date=${bookableDate}`],
    ["date", "service_id=svc_x"],
    ["date", "service_id=svc_x&date=2026-02-30"],
    ["participant_count", `service_id=svc_x&date=${bookableDate}&participant_count=0`],
  ])("names an invalid %s", async (field, query) => {
    expect((await get(`/slots?${query}`)).body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field } }),
    );
  });
});

describe("GET /scheduling/slots/check", () => {
  const check = (id: string, slotTime: string, more = "") =>
    get(`/slots/check?service_id=${id}&slot_time=${encodeURIComponent(slotTime)}${more}`);

  it("returns the reason why a slot cannot be booked", async () => {
    const id = await createService(shop(), { capacity: 2, booking_window_days: 30 });
    await allocateSlots(shop(), {
      id: "bk_one",
      service: id,
      location: home(),
      start: instantOf(bookableDate, "10:00"),
      capacity: 2,
    });
    await get("/services"); // caches the API key
    const free = await check(id, instantText(bookableDate, "09:00"));
    expect(free.body).toEqual(
      success({
        service_id: id,
        slot_time: instantText(bookableDate, "09:00"),
        duration_minutes: 60,
        is_available: true,
        remaining_capacity: 2,
        reason: null,
      }),
    );
    expect(roundTrips(free)).toMatchObject({ d1: 2, do: 0 });
    const unavailableFor = (reason: string) =>
      success(expect.objectContaining({ reason, is_available: false }));
    const two = "&participant_count=2";
    expect((await check(id, instantText(bookableDate, "10:00"), two)).body).toEqual(
      unavailableFor("FULLY_BOOKED"),
    );
    for (const time of ["08:00", "16:30", "17:00", "09:10"])
      expect((await check(id, instantText(bookableDate, time))).body).toEqual(
        unavailableFor("OUTSIDE_HOURS"),
      );
    expect((await check(id, instantText(dateIn(-1), "09:00"))).body).toEqual(
      unavailableFor("TOO_SOON"),
    );
    expect((await check(id, instantText(dateIn(31), "09:00"))).body).toEqual(
      unavailableFor("TOO_LATE"),
    );
    expect((await check(id, "9999-12-31T09:00:00Z")).body).toEqual(unavailableFor("TOO_LATE"));
    expect((await check(id, "0001-01-01T09:00:00Z")).status).toBe(200);
  });

  it("accepts any UTC offset", async () => {
    const id = await createService(shop());
    const answer = await check(id, `${bookableDate}T10:00:00+01:00`);
    expect(answer.body).toMatchObject(
      success({ slot_time: instantText(bookableDate, "09:00"), is_available: true }),
    );
  });

  it.each([59, 61, 480, 481])("has no slot of %i minutes for a service of 60", async (minutes) => {
    const id = await createService(shop());
    const time = instantText(bookableDate, "09:00");
    expect((await check(id, time, `&duration_minutes=${minutes}`)).body).toMatchObject(
      success({ duration_minutes: minutes, is_available: false, reason: "OUTSIDE_HOURS" }),
    );
    expect((await check(id, time, "&duration_minutes=60")).body).toMatchObject(
      success({ duration_minutes: 60, is_available: true, reason: null }),
    );
  });

  it("checks the default variant when none is named, as a cart does", async () => {
    const id = await createService(shop(), {
      variants: [
        { name: "Short", duration_minutes: 30 },
        { name: "Long", duration_minutes: 90, is_default: true },
      ],
    });
    const time = instantText(bookableDate, "15:00");
    expect((await check(id, time)).body).toMatchObject(
      success({ duration_minutes: 90, is_available: true }),
    );
    expect((await check(id, time, "&duration_minutes=60")).body).toMatchObject(
      success({ is_available: false, reason: "OUTSIDE_HOURS" }),
    );
    expect((await check(id, instantText(bookableDate, "16:00"))).body).toMatchObject(
      success({ is_available: false, reason: "OUTSIDE_HOURS" }),
    );
  });

  it("accepts an offset whose unencoded + arrives as a space", async () => {
    const id = await createService(shop());
    for (const offset of ["+01:00", "+0100", "+01"]) {
      const answer = await get(
        `/slots/check?service_id=${id}&slot_time=${bookableDate}T10:00:00${offset}`,
      );
      expect(answer.body).toMatchObject(success({ slot_time: instantText(bookableDate, "09:00") }));
    }
    for (const time of [
      `${bookableDate} 10:00:00Z`,
      `${bookableDate}T10:00:00 `,
      `${bookableDate}T10:00:00 1`,
    ]) {
      expect((await check(id, time)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "slot_time" } }),
      );
    }
  });

  it("returns STAFF_UNAVAILABLE when all staff of the service are archived", async () => {
    const ann = await createRecord(shop(), "/staff", { name: "Ann" });
    const id = await createService(shop(), { staff_ids: [ann] });
    expect((await check(id, instantText(bookableDate, "09:00"))).body).toMatchObject(
      success({ reason: null }),
    );
    await merchant(shop())("DELETE", `/staff/${ann}`);
    expect((await check(id, instantText(bookableDate, "09:00"))).body).toMatchObject(
      success({ reason: "STAFF_UNAVAILABLE" }),
    );
  });
});
