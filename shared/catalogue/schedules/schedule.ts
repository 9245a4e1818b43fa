import { Temporal } from "temporal-polyfill";
import { type Weekday, weekdays } from "../../kernel/index.ts";

/** The hours in which a product is offered, in the local time of `timezone`. */
export type ScheduleRule = Readonly<{
  id: string;
  /** The rule applies at this location; null means every location. */
  locationId: string | null;
  days: readonly Weekday[];
  /** Local times as `HH:MM`. When the end is before the start, the hours end on the next day. */
  startTime: string;
  endTime: string;
  /** IANA name. */
  timezone: string;
  /**
   * The first and the last day (`YYYY-MM-DD`) on which the hours may start; null means no bound.
   */
  startsOn: string | null;
  endsOn: string | null;
}>;

/**
 * Whether one of the rules applies at `now` (epoch milliseconds). Without rules the schedule is
 * always open. When a clock change repeats an hour, the rule applies both times.
 */
export const isInSchedule = (rules: readonly ScheduleRule[], now: number): boolean =>
  rules.length === 0 || rules.some((rule) => isInRule(rule, now));

/**
 * The first time after `now` at which a rule applies, in epoch milliseconds. Null when no rule will
 * apply. The caller ensures that no rule applies at `now`.
 */
export function nextScheduleStart(rules: readonly ScheduleRule[], now: number): number | null {
  const starts = rules.flatMap((rule) => nextRuleStart(rule, now) ?? []);
  return starts.length === 0 ? null : Math.min(...starts);
}

const toLocalTime = (now: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone);

const isOvernight = ({ startTime, endTime }: ScheduleRule) => endTime < startTime;

/** Whether the hours of the rule start on the day. ISO dates can be compared as texts. */
function startsOnDay({ days, startsOn, endsOn }: ScheduleRule, day: Temporal.PlainDate): boolean {
  const weekday = weekdays[day.dayOfWeek - 1];
  const date = day.toString();
  return (
    weekday !== undefined &&
    days.includes(weekday) &&
    (startsOn === null || date >= startsOn) &&
    (endsOn === null || date <= endsOn)
  );
}

/** Whether hours that started on the previous day continue on this day, past midnight. */
const continuesOnDay = (rule: ScheduleRule, day: Temporal.PlainDate): boolean =>
  isOvernight(rule) && startsOnDay(rule, day.subtract({ days: 1 }));

function isInRule(rule: ScheduleRule, now: number): boolean {
  const local = toLocalTime(now, rule.timezone);
  const day = local.toPlainDate();
  const time = local.toPlainTime().toString({ smallestUnit: "minute" });
  const { startTime, endTime } = rule;
  return (
    (startsOnDay(rule, day) && time >= startTime && (isOvernight(rule) || time < endTime)) ||
    (continuesOnDay(rule, day) && time < endTime)
  );
}

/**
 * The number of days that are searched for the next start. A weekday occurs within 7 days, but a
 * clock change may skip its hours or the whole day, so the search covers two weeks.
 */
const searchedDays = 16;

function nextRuleStart(rule: ScheduleRule, now: number): number | null {
  const today = toLocalTime(now, rule.timezone).toPlainDate();
  const startsLater = rule.startsOn !== null && rule.startsOn > today.toString();
  const firstDay = startsLater ? Temporal.PlainDate.from(rule.startsOn ?? "") : today;
  for (let offset = 0; offset < searchedDays; offset += 1) {
    const day = firstDay.add({ days: offset });
    const starts = possibleStarts(rule, day).filter((time) => time > now && isInRule(rule, time));
    if (starts.length > 0) return Math.min(...starts);
  }
  return null;
}

/**
 * The times on a day at which the hours may begin: midnight, the start time, or a clock change
 * during the hours.
 */
function possibleStarts(rule: ScheduleRule, day: Temporal.PlainDate): number[] {
  const continues = continuesOnDay(rule, day);
  const startsHere = startsOnDay(rule, day);
  if (!continues && !startsHere) return [];
  const midnight = day.toZonedDateTime(rule.timezone);
  const start = day.toPlainDateTime(Temporal.PlainTime.from(rule.startTime));
  if (midnight.hoursInDay === 24 && !continues) {
    return [start.toZonedDateTime(rule.timezone).epochMilliseconds];
  }
  const times = [
    midnight,
    midnight.getTimeZoneTransition("next"),
    start.toZonedDateTime(rule.timezone, { disambiguation: "earlier" }),
    start.toZonedDateTime(rule.timezone, { disambiguation: "later" }),
  ];
  return times.flatMap((time) => time?.epochMilliseconds ?? []);
}
