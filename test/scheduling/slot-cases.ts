import fc from "fast-check";
import type { OpeningHours } from "../../shared/businesses/index.ts";
import { day, minute, weekdays } from "../../shared/kernel/index.ts";
import type { CaseAllocation, SlotCase } from "./slot-model.ts";

/** Time zones with a day on which their clocks change, or do not. */
export const clocks = [
  ["Europe/Berlin", "2026-03-29"],
  ["Europe/Berlin", "2026-10-25"],
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["Australia/Lord_Howe", "2026-04-05"], // half an hour
  ["Australia/Lord_Howe", "2026-10-04"],
  ["Asia/Beirut", "2021-03-28"], // midnight is skipped
  ["Asia/Beirut", "2021-10-31"], // back to the day before
  ["America/St_Johns", "2010-11-07"], // at one past midnight
  ["Pacific/Apia", "2011-12-30"], // a skipped day
  ["Africa/Accra", "2026-06-15"],
  ["Asia/Kathmandu", "2026-06-15"],
] as const;

const clockText = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Opening intervals in order, without overlaps; some end at midnight. */
const dayHours = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 0, max: 24 * 4 }).map((quarter) => quarter * 15),
      fc.constant(0),
    ),
    { minLength: 2, maxLength: 4 },
  )
  .map((times) => times.toSorted((a, b) => a - b))
  .map((times) =>
    Array.from({ length: Math.floor(times.length / 2) }, (_, index) => ({
      open: clockText(times[2 * index] ?? 0),
      close: clockText(times[2 * index + 1] ?? 0),
    })),
  );

const weeklyHours: fc.Arbitrary<OpeningHours> = fc
  .tuple(...weekdays.map(() => fc.option(dayHours, { nil: undefined, freq: 5 })))
  .map((days) =>
    Object.fromEntries(
      weekdays.flatMap((name, index) => (days[index] ? [[name, days[index]]] : [])),
    ),
  );

const allDay: OpeningHours = Object.fromEntries(
  weekdays.map((name) => [name, [{ open: "00:00", close: "24:00" }]]),
);

const hours = fc.oneof(
  { weight: 3, arbitrary: weeklyHours },
  { weight: 1, arbitrary: fc.constant(allDay) },
);

export type GeneratedSlotCase = SlotCase & Readonly<{ zone: string; date: string }>;

/** Generates a service and its occupancy around a day on which the clock may change. */
export const slotCases: fc.Arbitrary<GeneratedSlotCase> = fc
  .constantFrom(...clocks)
  .chain(([zone, date]) => {
    const noon = Date.parse(`${date}T12:00:00Z`);
    const nearby = fc
      .integer({ min: -36 * 12, max: 36 * 12 })
      .map((fives) => noon + fives * 5 * minute);
    const dayFrom = (days: number) => new Date(noon + days * day).toISOString().slice(0, 10);
    const closure = fc
      .tuple(fc.constantFrom(0, 0, -1), fc.constantFrom(0, 0, 1))
      .map(([from, to]) => ({ from: dayFrom(from), to: dayFrom(to), reason: null }));
    const closures = fc.array(closure, { maxLength: 1 });
    const staffIds = ["ann", "ben"];
    const resourceIds = ["room", "tool"];
    const allocation: fc.Arbitrary<CaseAllocation> = fc
      .record({
        isSameService: fc.boolean(),
        staffId: fc.option(fc.constantFrom(...staffIds)),
        resourceIds: fc.subarray(resourceIds),
        participants: fc.integer({ min: 1, max: 3 }),
        start: nearby,
        length: fc.integer({ min: 1, max: 40 }).map((fives) => fives * 5 * minute),
      })
      .map(({ length, ...fields }) => ({ ...fields, occupiedUntil: fields.start + length }));
    return fc.record({
      zone: fc.constant(zone),
      date: fc.constant(date),
      hours,
      closures: fc.oneof(
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: closures },
      ),
      duration: fc.oneof(fc.constantFrom(10, 30, 45, 60, 90, 180), fc.constantFrom(1, 1500)),
      buffer: fc.constantFrom(0, 5, 15, 60),
      capacity: fc.integer({ min: 1, max: 6 }),
      interval: fc.constantFrom(10, 15, 20, 30, 45, 60, 90, 7),
      minNotice: fc.constantFrom(0, 0, 30, 600),
      windowDays: fc.constantFrom(1, 2, 90),
      staff: fc.option(
        fc.subarray(staffIds, { minLength: 0 }).chain((ids) =>
          fc.tuple(
            ...ids.map((id) =>
              fc.record({
                id: fc.constant(id),
                hours: fc.option(hours),
                timeOff: fc.oneof(fc.constant([]), fc.constant([]), closures),
              }),
            ),
          ),
        ),
      ),
      resources: fc
        .subarray(resourceIds)
        .chain((ids) =>
          fc.tuple(
            ...ids.map((id) =>
              fc.record({ id: fc.constant(id), capacity: fc.integer({ min: 1, max: 8 }) }),
            ),
          ),
        ),
      allocations: fc.array(allocation, { maxLength: 10 }),
      participants: fc.integer({ min: 1, max: 2 }),
      now: fc.oneof(nearby, fc.constant(noon - 2 * day)),
    });
  });
