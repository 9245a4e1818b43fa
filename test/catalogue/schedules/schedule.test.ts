import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ScheduleRule } from "../../../shared/catalogue/index.ts";
import { isInSchedule, nextScheduleStart } from "../../../shared/catalogue/schedules/schedule.ts";
import { day, minute, weekdays } from "../../../shared/kernel/index.ts";
import { createWallClock, dayBefore, weekdayOf } from "./wall-clock.ts";

const createRule = (about: Partial<ScheduleRule> = {}): ScheduleRule => ({
  id: "rule_1",
  locationId: null,
  days: weekdays,
  startTime: "09:00",
  endTime: "17:00",
  timezone: "UTC",
  startsOn: null,
  endsOn: null,
  ...about,
});

/** A direct implementation of the rule with local dates and times, for one minute. */
function isInRuleByModel(
  rule: ScheduleRule,
  clock: ReturnType<typeof createWallClock>,
  at: number,
): boolean {
  const { date, time } = clock(at);
  const startsOnDate = (on: string) =>
    rule.days.includes(weekdays[weekdayOf(on)] ?? "mon") &&
    (rule.startsOn ?? on) <= on &&
    on <= (rule.endsOn ?? on);
  if (rule.endTime > rule.startTime)
    return startsOnDate(date) && rule.startTime <= time && time < rule.endTime;
  return (
    (startsOnDate(date) && rule.startTime <= time) ||
    (startsOnDate(dayBefore(date)) && time < rule.endTime)
  );
}

/** Weeks with a clock change at night, at midnight, by half an hour, and with none. */
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
const formatTime = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

const arbitraryRule = (timezone: string, around: string) =>
  fc
    .record({
      days: fc.subarray([...weekdays], { minLength: 1 }),
      start: timeOfDay,
      end: fc.oneof(timeOfDay, fc.constant(24 * 60)),
      startsIn: fc.option(fc.integer({ min: -2, max: 2 })),
      lasts: fc.option(fc.integer({ min: 0, max: 4 })),
    })
    .filter(({ start, end }) => start !== end)
    .map(({ days, start, end, startsIn, lasts }) => {
      const date = (ahead: number) =>
        new Date(Date.parse(`${around}T00:00Z`) + ahead * day).toISOString().slice(0, 10);
      return createRule({
        days,
        timezone,
        startTime: formatTime(start),
        endTime: formatTime(end),
        startsOn: startsIn === null ? null : date(startsIn),
        endsOn: lasts === null ? null : date((startsIn ?? 0) + lasts),
      });
    });

it.each(weeks)("agrees with the model for every five minutes: $timezone, $around", (week) => {
  const clock = createWallClock(week.timezone);
  const from = Date.parse(`${week.around}T00:00Z`) - 2 * day;
  fc.assert(
    fc.property(arbitraryRule(week.timezone, week.around), (one) => {
      const minutes = Array.from({ length: 4 * 24 * 12 }, (_, n) => from + n * 5 * minute);
      const model = minutes.map((at) => isInRuleByModel(one, clock, at));
      expect(minutes.map((at) => isInSchedule([one], at))).toEqual(model);
    }),
    { seed: 11, numRuns: 4 },
  );
});

it.each(weeks)(
  "returns the first minute in the schedule: $timezone, $around",
  (week) => {
    const clock = createWallClock(week.timezone);
    const around = Date.parse(`${week.around}T00:00Z`);
    const times = fc
      .integer({ min: -36 * 60, max: 36 * 60 })
      .map((n) => around + n * minute + 20_000);
    fc.assert(
      fc.property(arbitraryRule(week.timezone, week.around), times, (one, now) => {
        fc.pre(!isInRuleByModel(one, clock, now));
        const next = nextScheduleStart([one], now);
        const wholeMinute = Math.floor(now / minute) * minute;
        const limit = 9 * 24 * 60;
        let ahead = 1;
        while (ahead < limit && !isInRuleByModel(one, clock, wholeMinute + ahead * minute))
          ahead += 1;
        if (ahead < limit) expect(next).toBe(wholeMinute + ahead * minute);
        else expect(next === null || next >= wholeMinute + limit * minute).toBe(true);
      }),
      { seed: 12, numRuns: 12 },
    );
  },
  60_000,
);

describe("isInSchedule and nextScheduleStart", () => {
  const at = (text: string) => Date.parse(text);

  it("treat a schedule without rules as always open, and several rules as alternatives", () => {
    expect(isInSchedule([], 0)).toBe(true);
    const evening = createRule({ startTime: "20:00", endTime: "22:00" });
    expect(isInSchedule([createRule(), evening], at("2026-05-05T21:00Z"))).toBe(true);
    expect(isInSchedule([createRule(), evening], at("2026-05-05T18:00Z"))).toBe(false);
    expect(nextScheduleStart([createRule(), evening], at("2026-05-05T18:00Z"))).toBe(
      at("2026-05-05T20:00Z"),
    );
  });

  it("continue overnight hours into the next day", () => {
    const night = createRule({
      days: ["sat"],
      startTime: "22:00",
      endTime: "02:00",
      endsOn: "2026-05-09",
    });
    expect(isInSchedule([night], at("2026-05-10T01:59:59Z"))).toBe(true);
    expect(isInSchedule([night], at("2026-05-10T02:00Z"))).toBe(false);
    expect(nextScheduleStart([night], at("2026-05-10T02:00Z"))).toBeNull();
  });

  it("find a first day years ahead and the week after a skipped hour", () => {
    const later = createRule({ startsOn: "2099-01-01", timezone: "Africa/Accra" });
    expect(nextScheduleStart([later], 0)).toBe(at("2099-01-01T09:00Z"));
    const skipped = createRule({
      days: ["sun"],
      startTime: "02:15",
      endTime: "02:45",
      timezone: "Europe/Berlin",
    });
    expect(nextScheduleStart([skipped], at("2026-03-28T12:00Z"))).toBe(at("2026-04-05T00:15Z"));
  });

  it("apply twice in an hour that a clock change repeats", () => {
    const repeated = createRule({
      days: ["sun"],
      startTime: "02:15",
      endTime: "02:45",
      timezone: "Europe/Berlin",
    });
    expect(nextScheduleStart([repeated], at("2026-10-25T00:00Z"))).toBe(at("2026-10-25T00:15Z"));
    expect(nextScheduleStart([repeated], at("2026-10-25T00:50Z"))).toBe(at("2026-10-25T01:15Z"));
  });

  it("start where a clock change jumps into the hours", () => {
    const sundays = { days: ["sun"], timezone: "Europe/Berlin" } as const;
    const forth = createRule({ ...sundays, startTime: "02:15", endTime: "04:00" });
    expect(nextScheduleStart([forth], at("2026-03-29T00:30Z"))).toBe(at("2026-03-29T01:00Z"));
    const back = createRule({ ...sundays, startTime: "01:30", endTime: "02:30" });
    expect(nextScheduleStart([back], at("2026-10-25T00:45Z"))).toBe(at("2026-10-25T01:00Z"));
  });
});
