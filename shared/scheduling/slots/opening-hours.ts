import type { Closure, OpeningHours } from "../../businesses/index.ts";
import { endOfDay, startOfDay, toLocalTime, utcDate } from "../../kernel/calendar.ts";
import { day, hour, minute, weekdays } from "../../kernel/index.ts";
import type { TimeRange } from "./time-range.ts";

/** When a business or a staff member works: weekly hours in local time, and closed days. */
export type OpeningCalendar = Readonly<{
  timezone: string;
  hours: OpeningHours;
  closures: readonly Closure[];
}>;

/** A part of one day's opening hours in which the clock does not change. */
export type OpenPeriod = TimeRange &
  Readonly<{
    /** The local day that the opening hours belong to (YYYY-MM-DD). */
    date: string;
    /** The day's opening time, as epoch milliseconds, with the UTC offset of this period. */
    opening: number;
  }>;

/** Longer than any known change of the clock to an earlier time. */
const maxClockSetBackMs = 3 * hour;

/**
 * Returns the open periods within a range, in ascending order. Where a clock change skips local
 * times, they are missing. Where it repeats local times, they occur twice
 * (docs/contract/storefront.md#slot-clock-changes).
 */
export function openPeriods(
  { timezone, hours, closures }: OpeningCalendar,
  range: TimeRange,
): OpenPeriod[] {
  return splitAtClockChanges(range, timezone).flatMap(({ start, end, offset }) =>
    localDays(start + offset, end + offset).flatMap(({ date, weekday, midnight }) =>
      closures.some(({ from, to }) => from <= date && date <= to)
        ? []
        : (hours[weekday] ?? []).flatMap(({ open, close }) => {
            const opening = midnight + timeOfDayMs(open) - offset;
            const closing = midnight + timeOfDayMs(close) - offset;
            const period = { start: Math.max(opening, start), end: Math.min(closing, end) };
            return period.start < period.end ? [{ ...period, date, opening }] : [];
          }),
    ),
  );
}

/**
 * Returns a range that covers the local days from `first` to `last` (YYYY-MM-DD, both included).
 * The end is a few hours late, so that a clock change cannot cut the last day.
 */
export function timeRangeOfDays(first: string, last: string, timezone: string): TimeRange {
  return {
    start: startOfDay(first, timezone),
    end: endOfDay(last, timezone) + maxClockSetBackMs,
  };
}

/** A range in which the UTC offset does not change. `offset` is in milliseconds. */
type FixedOffsetRange = TimeRange & Readonly<{ offset: number }>;

function splitAtClockChanges({ start, end }: TimeRange, timezone: string): FixedOffsetRange[] {
  const ranges: FixedOffsetRange[] = [];
  for (let from = start; from < end; ) {
    const local = toLocalTime(from, timezone);
    const change = local.getTimeZoneTransition("next")?.epochMilliseconds ?? end;
    const to = Math.min(change, end);
    ranges.push({ start: from, end: to, offset: local.offsetNanoseconds / 1e6 });
    from = to;
  }
  return ranges;
}

/**
 * The days that a range overlaps. The range is in local time: milliseconds since the epoch with the
 * UTC offset added.
 */
function localDays(start: number, end: number) {
  const first = Math.floor(start / day);
  const count = Math.max(0, Math.ceil(end / day) - first);
  return Array.from({ length: count }, (_, index) => {
    const midnight = (first + index) * day;
    return {
      midnight,
      date: utcDate(midnight),
      weekday: weekdays[(new Date(midnight).getUTCDay() + 6) % 7] ?? "mon",
    };
  });
}

const timeOfDayMs = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * minute;
};
