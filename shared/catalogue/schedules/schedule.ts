import { Temporal } from "temporal-polyfill";
import { type Weekday, weekdays } from "../../kernel/index.ts";

/** The hours in which a product is offered, in local time of `timezone`. */
export type ScheduleRule = Readonly<{
  id: string;
  /** Null for every location. */
  locationId: string | null;
  days: readonly Weekday[];
  /** `HH:MM`. An end before the start is on the next day. */
  startTime: string;
  endTime: string;
  /** IANA name. */
  timezone: string;
  /** `YYYY-MM-DD`: the first and the last day on which the hours may start; null for no bound. */
  startsOn: string | null;
  endsOn: string | null;
}>;

/**
 * Whether one of the rules applies at `now` (epoch ms). An hour that a clock change repeats applies
 * twice, one that it skips never. Without rules the schedule is always open.
 */
export const isInSchedule = (rules: readonly ScheduleRule[], now: number): boolean =>
  rules.length === 0 || rules.some((rule) => isInRule(rule, now));

/**
 * The first time after `now` at which a rule applies (epoch ms); null for never. `now` is in no
 * rule.
 */
export function nextScheduleStart(rules: readonly ScheduleRule[], now: number): number | null {
  const starts = rules.flatMap((rule) => nextRuleStart(rule, now) ?? []);
  return starts.length === 0 ? null : Math.min(...starts);
}

const toLocalTime = (now: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone);

const isOvernight = ({ startTime, endTime }: ScheduleRule) => endTime < startTime;

/** Whether the rule's hours start on the day. ISO dates are ordered as texts. */
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

/** Whether overnight hours of the previous day continue on the day. */
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
 * Every weekday comes within 7 days. The clock change may skip that day's hours, and a skipped
 * calendar day costs another week, so two weeks and a margin are enough.
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
 * The times at which hours may begin on a day: the start time, midnight, or a clock change into the
 * hours.
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
