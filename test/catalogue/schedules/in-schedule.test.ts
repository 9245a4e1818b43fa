import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ScheduleRule, scheduleDays } from "../../../shared/catalogue/index.ts";
import { isInSchedule, nextInSchedule } from "../../../shared/catalogue/schedules/in-schedule.ts";
import { dayBefore, wallClock, weekdayOf } from "./wall-clock.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const rule = (about: Partial<ScheduleRule> = {}): ScheduleRule => ({
  id: "rule_1",
  locationId: null,
  days: scheduleDays,
  startTime: "09:00",
  endTime: "17:00",
  timezone: "UTC",
  startsOn: null,
  endsOn: null,
  ...about,
});

/** completions.md 4 as it stands there, for one minute. */
function modelHolds(one: ScheduleRule, clock: ReturnType<typeof wallClock>, at: number): boolean {
  const { date, time } = clock(at);
  const begins = (on: string) =>
    one.days.includes(scheduleDays[weekdayOf(on)] ?? "mon") &&
    (one.startsOn ?? on) <= on &&
    on <= (one.endsOn ?? on);
  if (one.endTime > one.startTime)
    return begins(date) && one.startTime <= time && time < one.endTime;
  return (begins(date) && one.startTime <= time) || (begins(dayBefore(date)) && time < one.endTime);
}

/** Weeks around a change of the clocks: at night, at midnight, by half an hour, and none at all. */
const weeks = [
  { timezone: "Europe/Berlin", around: "2026-03-29" },
  { timezone: "Europe/Berlin", around: "2026-10-25" },
  { timezone: "America/New_York", around: "2026-11-01" },
  { timezone: "America/Santiago", around: "2026-04-05" },
  { timezone: "America/Santiago", around: "2026-09-06" },
  { timezone: "Africa/Cairo", around: "2026-04-24" },
  { timezone: "Asia/Beirut", around: "2026-03-29" },
  { timezone: "Australia/Lord_Howe", around: "2026-10-04" },
  { timezone: "Australia/Lord_Howe", around: "2026-04-05" },
  { timezone: "Africa/Accra", around: "2026-06-01" },
] as const;

const timeOfDay = fc.oneof(
  fc.integer({ min: 0, max: 47 }).map((halves) => halves * 30),
  fc.integer({ min: 0, max: 24 * 60 - 1 }),
);
const asTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const anyRule = (timezone: string, around: string) =>
  fc
    .record({
      days: fc.subarray([...scheduleDays], { minLength: 1 }),
      start: timeOfDay,
      end: fc.oneof(timeOfDay, fc.constant(24 * 60)),
      startsIn: fc.option(fc.integer({ min: -2, max: 2 })),
      lasts: fc.option(fc.integer({ min: 0, max: 4 })),
    })
    .filter(({ start, end }) => start !== end)
    .map(({ days, start, end, startsIn, lasts }) => {
      const date = (ahead: number) =>
        new Date(Date.parse(`${around}T00:00Z`) + ahead * day).toISOString().slice(0, 10);
      return rule({
        days,
        timezone,
        startTime: asTime(start),
        endTime: asTime(end),
        startsOn: startsIn === null ? null : date(startsIn),
        endsOn: lasts === null ? null : date((startsIn ?? 0) + lasts),
      });
    });

it.each(weeks)("agrees with a clock on the wall, minute by minute: $timezone, $around", (week) => {
  const clock = wallClock(week.timezone);
  const from = Date.parse(`${week.around}T00:00Z`) - 2 * day;
  fc.assert(
    fc.property(anyRule(week.timezone, week.around), (one) => {
      const minutes = Array.from({ length: 4 * 24 * 12 }, (_, n) => from + n * 5 * minute);
      const model = minutes.map((at) => modelHolds(one, clock, at));
      expect(minutes.map((at) => isInSchedule([one], at))).toEqual(model);
    }),
    { seed: 11, numRuns: 4 },
  );
});

it.each(weeks)(
  "names the first minute that the wall clock lets in: $timezone, $around",
  (week) => {
    const clock = wallClock(week.timezone);
    const around = Date.parse(`${week.around}T00:00Z`);
    const asked = fc
      .integer({ min: -36 * 60, max: 36 * 60 })
      .map((n) => around + n * minute + 20_000);
    fc.assert(
      fc.property(anyRule(week.timezone, week.around), asked, (one, now) => {
        fc.pre(!modelHolds(one, clock, now));
        const next = nextInSchedule([one], now);
        const whole = Math.floor(now / minute) * minute;
        const limit = 9 * 24 * 60;
        let ahead = 1;
        while (ahead < limit && !modelHolds(one, clock, whole + ahead * minute)) ahead += 1;
        if (ahead < limit) expect(next).toBe(whole + ahead * minute);
        else expect(next === null || next >= whole + limit * minute).toBe(true);
      }),
      { seed: 12, numRuns: 12 },
    );
  },
  60_000,
);

describe("a schedule", () => {
  const at = (text: string) => Date.parse(text);

  it("without rules always holds, and with several when one does", () => {
    expect(isInSchedule([], 0)).toBe(true);
    const evening = rule({ startTime: "20:00", endTime: "22:00" });
    expect(isInSchedule([rule(), evening], at("2026-05-05T21:00Z"))).toBe(true);
    expect(isInSchedule([rule(), evening], at("2026-05-05T18:00Z"))).toBe(false);
    expect(nextInSchedule([rule(), evening], at("2026-05-05T18:00Z"))).toBe(
      at("2026-05-05T20:00Z"),
    );
  });

  it("runs past midnight into a day that is not its own", () => {
    const night = rule({
      days: ["sat"],
      startTime: "22:00",
      endTime: "02:00",
      endsOn: "2026-05-09",
    });
    expect(isInSchedule([night], at("2026-05-10T01:59:59Z"))).toBe(true);
    expect(isInSchedule([night], at("2026-05-10T02:00Z"))).toBe(false);
    expect(nextInSchedule([night], at("2026-05-10T02:00Z"))).toBeNull();
  });

  it("waits for a first day years ahead, and for the week after a skipped hour", () => {
    const later = rule({ startsOn: "2099-01-01", timezone: "Africa/Accra" });
    expect(nextInSchedule([later], 0)).toBe(at("2099-01-01T09:00Z"));
    const skipped = rule({
      days: ["sun"],
      startTime: "02:15",
      endTime: "02:45",
      timezone: "Europe/Berlin",
    });
    expect(nextInSchedule([skipped], at("2026-03-28T12:00Z"))).toBe(at("2026-04-05T00:15Z"));
  });

  it("comes back in the hour that a clock change repeats", () => {
    const repeated = rule({
      days: ["sun"],
      startTime: "02:15",
      endTime: "02:45",
      timezone: "Europe/Berlin",
    });
    expect(nextInSchedule([repeated], at("2026-10-25T00:00Z"))).toBe(at("2026-10-25T00:15Z"));
    expect(nextInSchedule([repeated], at("2026-10-25T00:50Z"))).toBe(at("2026-10-25T01:15Z"));
  });

  it("begins where a change of the clocks jumps into its hours", () => {
    const sundays = { days: ["sun"], timezone: "Europe/Berlin" } as const;
    const forth = rule({ ...sundays, startTime: "02:15", endTime: "04:00" });
    expect(nextInSchedule([forth], at("2026-03-29T00:30Z"))).toBe(at("2026-03-29T01:00Z"));
    const back = rule({ ...sundays, startTime: "01:30", endTime: "02:30" });
    expect(nextInSchedule([back], at("2026-10-25T00:45Z"))).toBe(at("2026-10-25T01:00Z"));
  });
});
