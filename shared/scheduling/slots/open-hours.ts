import { Temporal } from "temporal-polyfill";
import { type Closure, type OpeningHours, weekdays } from "../../businesses/index.ts";
import { day, hour, minute } from "../../kernel/index.ts";

/** From its start on, up to but without its end; epoch milliseconds. */
export type Span = Readonly<{ start: number; end: number }>;

/** Weekly hours by the clocks of a time zone, and the whole days on which they do not hold. */
export type Calendar = Readonly<{
  timezone: string;
  hours: OpeningHours;
  closures: readonly Closure[];
}>;

/** Opening hours as far as the clock runs evenly through them. */
export type OpenPart = Span &
  Readonly<{
    /** The local day whose hours they are. */
    date: string;
    /** When the clock would have shown their opening time, had it run evenly. */
    opening: number;
  }>;

/** No clock has been set back by more at once. */
const longestSetBack = 3 * hour;

/**
 * When it is open within a span, by the clocks on its walls and in order: times that a clock change
 * skips are not there, those that it repeats are there twice (completions.md 8).
 */
export function openParts({ timezone, hours, closures }: Calendar, span: Span): OpenPart[] {
  return evenStretches(span, timezone).flatMap(({ start, end, offset }) =>
    localDays(start + offset, end + offset).flatMap(({ date, weekday, midnight }) =>
      closures.some(({ from, to }) => from <= date && date <= to)
        ? []
        : (hours[weekday] ?? []).flatMap(({ open, close }) => {
            const opening = midnight + millisecondsOf(open) - offset;
            const closing = midnight + millisecondsOf(close) - offset;
            const part = { start: Math.max(opening, start), end: Math.min(closing, end) };
            return part.start < part.end ? [{ ...part, date, opening }] : [];
          }),
    ),
  );
}

/** What follows without a gap is one: hours that end at midnight and begin there run on. */
export function joined(parts: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const { start, end } of parts) {
    const last = spans.at(-1);
    if (last?.end === start) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return spans;
}

/** All instants of the local days from the first to the last (YYYY-MM-DD), and perhaps a few more. */
export function spanOfDays(first: string, last: string, timezone: string): Span {
  const after = Temporal.PlainDate.from(last).add({ days: 1 });
  return {
    start: Temporal.PlainDate.from(first).toZonedDateTime(timezone).epochMilliseconds,
    end: after.toZonedDateTime(timezone).epochMilliseconds + longestSetBack,
  };
}

/** The local day (YYYY-MM-DD) of an instant. */
export const localDate = (at: number, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate().toString();

/** A day (YYYY-MM-DD) so many days later: of the calendar, where every day is as long. */
export const laterDate = (date: string, days: number): string =>
  dateOf(Date.parse(date) + days * day);

/** Of a midnight at UTC. */
const dateOf = (midnight: number): string => new Date(midnight).toISOString().slice(0, 10);

/** How many days from the first to the last, both counted. */
export const daysBetween = (first: string, last: string): number =>
  Temporal.PlainDate.from(first).until(last).days + 1;

type Stretch = Span & Readonly<{ offset: number }>;

/** A span cut where the zone's distance from UTC (`offset`, milliseconds) changes. */
function evenStretches({ start, end }: Span, timezone: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = start; from < end; ) {
    const local = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timezone);
    const change = local.getTimeZoneTransition("next")?.epochMilliseconds ?? end;
    const to = Math.min(change, end);
    stretches.push({ start: from, end: to, offset: local.offsetNanoseconds / 1e6 });
    from = to;
  }
  return stretches;
}

/** The days that a span of local time touches; local time is counted as if it were UTC. */
function localDays(start: number, end: number) {
  const first = Math.floor(start / day);
  const count = Math.max(0, Math.ceil(end / day) - first);
  return Array.from({ length: count }, (_, index) => {
    const midnight = (first + index) * day;
    return {
      midnight,
      date: dateOf(midnight),
      weekday: weekdays[(new Date(midnight).getUTCDay() + 6) % 7] ?? "mon",
    };
  });
}

const millisecondsOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return (hours * 60 + minutes) * minute;
};
