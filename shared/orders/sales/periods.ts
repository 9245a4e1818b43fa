import type { Temporal } from "temporal-polyfill";
import { toLocalTime } from "../../kernel/calendar.ts";
import { day, invalid } from "../../kernel/index.ts";

export const salesIntervals = ["day", "week", "month"] as const;
/**
 * The length of a period: calendar days, weeks from Monday, or months, in the business's time zone.
 */
export type SalesInterval = (typeof salesIntervals)[number];

/** A period in epoch milliseconds. The end is exclusive. */
export type SalesPeriod = Readonly<{ start: number; end: number }>;

const maxReportRangeMs = 366 * day;

/** @throws Refusal VALIDATION_ERROR for a range that is empty or longer than 366 days. */
export function assertReportRange({ start, end }: SalesPeriod): void {
  if (end <= start) throw invalid("to", "must be after from");
  if (end - start > maxReportRangeMs) throw invalid("to", "must be within 366 days of from");
}

/**
 * Splits a range at the calendar boundaries of a time zone. The first and the last period are
 * shorter when the range does not start or end at a boundary.
 */
export function splitIntoPeriods(
  { start, end }: SalesPeriod,
  interval: SalesInterval,
  zone: string,
): SalesPeriod[] {
  const periods: SalesPeriod[] = [];
  const first = toLocalTime(start, zone);
  let boundary = startOfInterval(first.toPlainDate(), interval);
  for (let from = start; from < end; ) {
    boundary = boundary.add(intervalStep[interval]);
    const to = Math.min(boundary.toZonedDateTime(zone).epochMilliseconds, end);
    periods.push({ start: from, end: to });
    from = to;
  }
  return periods;
}

const intervalStep = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
} as const satisfies Record<SalesInterval, Temporal.DurationLike>;

function startOfInterval(date: Temporal.PlainDate, interval: SalesInterval): Temporal.PlainDate {
  switch (interval) {
    case "day":
      return date;
    case "week":
      return date.subtract({ days: date.dayOfWeek - 1 });
    case "month":
      return date.with({ day: 1 });
  }
}
