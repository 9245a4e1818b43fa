import { Temporal } from "temporal-polyfill";
import { type ScheduleRule, scheduleDays } from "./schedule-rule.ts";

/**
 * Whether one of the rules holds at `now` (epoch milliseconds) by the clocks on its walls: an hour
 * that a clock change repeats counts twice, one that it skips not at all. Without rules, always.
 */
export const isInSchedule = (rules: readonly ScheduleRule[], now: number): boolean =>
  rules.length === 0 || rules.some((rule) => holds(rule, now));

/** The first instant after `now`, which is outside the schedule, at which a rule holds; null for never. */
export function nextInSchedule(rules: readonly ScheduleRule[], now: number): number | null {
  const starts = rules.flatMap((rule) => nextStartOf(rule, now) ?? []);
  return starts.length === 0 ? null : Math.min(...starts);
}

type Day = Temporal.PlainDate;

const zoned = (now: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone);

const isOvernight = ({ startTime, endTime }: ScheduleRule) => endTime < startTime;

/** Whether the rule's hours start on that day; ISO days compare as texts. */
function startsOnDay({ days, startsOn, endsOn }: ScheduleRule, day: Day): boolean {
  const weekday = scheduleDays[day.dayOfWeek - 1];
  const date = day.toString();
  return (
    weekday !== undefined &&
    days.includes(weekday) &&
    (startsOn === null || date >= startsOn) &&
    (endsOn === null || date <= endsOn)
  );
}

const hasHoursLeft = (rule: ScheduleRule, day: Day): boolean =>
  isOvernight(rule) && startsOnDay(rule, day.subtract({ days: 1 }));

function holds(rule: ScheduleRule, now: number): boolean {
  const local = zoned(now, rule.timezone);
  const day = local.toPlainDate();
  const time = local.toPlainTime().toString({ smallestUnit: "minute" });
  const { startTime, endTime } = rule;
  return (
    (startsOnDay(rule, day) && time >= startTime && (isOvernight(rule) || time < endTime)) ||
    (hasHoursLeft(rule, day) && time < endTime)
  );
}

/** A week holds every weekday; its hours may all fall into a skipped one, and a skipped day hides one more. */
const horizonDays = 16;

function nextStartOf(rule: ScheduleRule, now: number): number | null {
  const today = zoned(now, rule.timezone).toPlainDate();
  const isLater = rule.startsOn !== null && rule.startsOn > today.toString();
  const first = isLater ? Temporal.PlainDate.from(rule.startsOn ?? "") : today;
  for (let ahead = 0; ahead < horizonDays; ahead += 1) {
    const day = first.add({ days: ahead });
    const starts = possibleStarts(rule, day).filter((at) => at > now && holds(rule, at));
    if (starts.length > 0) return Math.min(...starts);
  }
  return null;
}

/** Where hours may begin on a day: by the clock, at midnight, or where the clock is changed into them. */
function possibleStarts(rule: ScheduleRule, day: Day): number[] {
  const hasLeft = hasHoursLeft(rule, day);
  const hasOwn = startsOnDay(rule, day);
  if (!hasLeft && !hasOwn) return [];
  const midnight = day.toZonedDateTime(rule.timezone);
  const start = day.toPlainDateTime(Temporal.PlainTime.from(rule.startTime));
  if (midnight.hoursInDay === 24 && !hasLeft) {
    return [start.toZonedDateTime(rule.timezone).epochMilliseconds];
  }
  const starts = [
    midnight,
    midnight.getTimeZoneTransition("next"),
    start.toZonedDateTime(rule.timezone, { disambiguation: "earlier" }),
    start.toZonedDateTime(rule.timezone, { disambiguation: "later" }),
  ];
  return starts.flatMap((at) => at?.epochMilliseconds ?? []);
}
