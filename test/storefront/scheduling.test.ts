import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { at, refusal, success } from "../business/given.ts";
import {
  addLocation,
  claim,
  day,
  everyDay,
  givenService,
  hour,
  made,
  openLocation,
} from "../scheduling/given.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { type Answer, givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let home: string;
let get: (path: string) => Promise<Answer>;

beforeEach(async () => {
  shop = await givenBusiness();
  home = await openLocation(shop);
  const ask = shopper(shop);
  get = (path) => ask("GET", `/scheduling${path}`);
});

/** So many days from now, as a date; Accra's clocks are UTC's. */
const dateIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const clock = (date: string, time: string) => Date.parse(`${date}T${time}:00Z`);
const text = (date: string, time: string) => new Date(clock(date, time)).toISOString();

const soon = dateIn(3);

const slotsOf = (answer: Answer) => {
  const slots = at(answer, "data.slots");
  if (!Array.isArray(slots)) throw new Error(JSON.stringify(answer.body));
  return slots as { start: string; is_available: boolean; remaining_capacity: number }[];
};
const startsOf = (answer: Answer) =>
  slotsOf(answer).flatMap((slot) => (slot.is_available ? [slot.start.slice(11, 16)] : []));

describe("GET /scheduling/services", () => {
  it("is an array of what can be booked, without the inactive and the archived", async () => {
    const ann = await made(shop, "/staff", { name: "Ann" });
    const room = await made(shop, "/resources", { name: "Room", capacity: 2 });
    const id = await givenService(shop, {
      description: "An hour of calm",
      buffer_minutes: 10,
      staff_ids: [ann],
      resource_ids: [room],
      variants: [{ name: "Long", duration_minutes: 90 }],
    });
    await givenService(shop, { is_active: false });
    const gone = await givenService(shop);
    await merchant(shop)("DELETE", `/services/${gone}`);
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
          location_ids: [home],
          timezone: "Africa/Accra",
        },
      ]),
    );
    expect((await get(`/services/${id}`)).body).toEqual(success(at(answer, "data.0")));
    const byProduct = await get(`/services/${at(answer, "data.0.product_id")}`);
    expect(byProduct.body).toEqual(success(at(answer, "data.0")));
    expect((await get(`/services/${gone}`)).body).toMatchObject(refusal("NOT_FOUND"));
  });

  it("is remembered with a tag until a merchant changes what it says", async () => {
    const ann = await made(shop, "/staff", { name: "Ann" });
    const id = await givenService(shop, { staff_ids: [ann] });
    const ask = shopper(shop);
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
    const id = await givenService(await givenNeighbour(shop));
    expect((await get("/services")).body).toEqual(success([]));
    expect((await get(`/services/${id}`)).status).toBe(404);
    expect((await get(`/slots?service_id=${id}&date=${soon}`)).status).toBe(404);
  });
});

describe("GET /scheduling/slots", () => {
  it("has the slots of a day from opening to closing time, by either id, in two round trips", async () => {
    const id = await givenService(shop);
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
    const id = await givenService(shop, {
      slot_interval_minutes: 120,
      variants: [{ name: "Group", duration_minutes: 180, buffer_minutes: 30, capacity: 5 }],
    });
    const variant = at(await get(`/services/${id}`), "data.variants.0.id");
    await claim(shop, {
      id: "bk_before",
      service: id,
      location: home,
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
    const id = await givenService(shop, { capacity: 3 });
    const claims = { service: id, location: home, capacity: 3 };
    await claim(
      shop,
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
    await openLocation(shop, { closures: [{ from: dateIn(4), to: dateIn(5) }] });
    const id = await givenService(shop, {
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
    const ann = await made(shop, "/staff", { name: "Ann", hours });
    const ben = await made(shop, "/staff", { name: "Ben", time_off: [{ date: dateIn(4) }] });
    const id = await givenService(shop, { staff_ids: [ann, ben], capacity: 9 });
    const other = await givenService(shop);
    await claim(shop, {
      id: "bk_ben",
      service: other,
      location: home,
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
    const room = await made(shop, "/resources", { name: "Room", capacity: 4 });
    const id = await givenService(shop, { capacity: 9, resource_ids: [room] });
    const other = await givenService(shop, { resource_ids: [room] });
    await claim(shop, {
      id: "bk_room",
      service: other,
      location: home,
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
    await merchant(shop)("DELETE", `/resources/${room}`);
    expect(await left()).toEqual([9, 9, 9, 9, 9, 9, 9, 9]);
  });

  it("demands the location of a service that has several", async () => {
    const second = await addLocation(shop);
    const id = await givenService(shop, { location_ids: [home, second] });
    const alone = await givenService(shop, { location_ids: [home] });
    const paths = [
      `/slots?service_id=${id}&date=${soon}`,
      `/slots/check?service_id=${id}&slot_time=${text(soon, "09:00")}`,
      `/availability?service_id=${id}&start_date=${soon}&end_date=${soon}`,
    ];
    for (const path of paths) {
      expect((await get(path)).body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: "location_id" } }),
      );
      expect((await get(`${path}&location_id=${home}`)).status).toBe(200);
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
    const id = await givenService(shop, { capacity: 2, booking_window_days: 30 });
    await claim(shop, {
      id: "bk_one",
      service: id,
      location: home,
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
    const id = await givenService(shop);
    const answer = await check(id, `${soon}T10:00:00+01:00`, "&duration_minutes=480");
    expect(answer.body).toMatchObject(
      success({ slot_time: text(soon, "09:00"), duration_minutes: 480, is_available: true }),
    );
    const longer = await check(id, text(soon, "09:00"), "&duration_minutes=481");
    expect(longer.body).toMatchObject(success({ reason: "OUTSIDE_HOURS" }));
  });

  it("says that nobody can give it, of a service whose staff have all left", async () => {
    const ann = await made(shop, "/staff", { name: "Ann" });
    const id = await givenService(shop, { staff_ids: [ann] });
    expect((await check(id, text(soon, "09:00"))).body).toMatchObject(success({ reason: null }));
    await merchant(shop)("DELETE", `/staff/${ann}`);
    expect((await check(id, text(soon, "09:00"))).body).toMatchObject(
      success({ reason: "STAFF_UNAVAILABLE" }),
    );
  });
});

describe("GET /scheduling/availability", () => {
  const ofDays = (id: string, first: string, last: string, more = "") =>
    get(`/availability?service_id=${id}&start_date=${first}&end_date=${last}${more}`);

  it("counts the slots of each day that can be booked, in two round trips", async () => {
    await openLocation(shop, { closures: [{ date: dateIn(4) }] });
    const id = await givenService(shop);
    const fullDay = Array.from({ length: 8 }, (_, index) => ({
      id: `bk_full_${index}`,
      service: id,
      location: home,
      start: clock(dateIn(5), "09:00") + index * hour,
    }));
    await claim(shop, ...fullDay, {
      id: "bk_between",
      service: id,
      location: home,
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
    const id = await givenService(shop);
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
