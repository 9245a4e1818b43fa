import { Temporal } from "temporal-polyfill";

export const salesIntervals = ["day", "week", "month"] as const;
/** Calendar days, weeks from Monday on, months; by the business's clocks. */
export type SalesInterval = (typeof salesIntervals)[number];

/** From its start on, up to but without its end; epoch milliseconds. */
export type Period = Readonly<{ start: number; end: number }>;

/** A range cut at the calendar's marks of that time zone; the first and the last may be parts. */
export function periodsIn({ start, end }: Period, interval: SalesInterval, zone: string): Period[] {
  const periods: Period[] = [];
  const first = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
  let mark = beginning(first.toPlainDate(), interval);
  for (let from = start; from < end; ) {
    mark = mark.add(step[interval]);
    const to = Math.min(mark.toZonedDateTime(zone).epochMilliseconds, end);
    periods.push({ start: from, end: to });
    from = to;
  }
  return periods;
}

/** The instant at which a calendar day (YYYY-MM-DD) begins there. */
export const startOfDay = (date: string, zone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(zone).epochMilliseconds;

/** The instant at which the day after it begins. */
export const endOfDay = (date: string, zone: string): number =>
  startOfDay(Temporal.PlainDate.from(date).add({ days: 1 }).toString(), zone);

const step = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
} as const satisfies Record<SalesInterval, Temporal.DurationLike>;

function beginning(date: Temporal.PlainDate, interval: SalesInterval): Temporal.PlainDate {
  switch (interval) {
    case "day":
      return date;
    case "week":
      return date.subtract({ days: date.dayOfWeek - 1 });
    case "month":
      return date.with({ day: 1 });
  }
}
