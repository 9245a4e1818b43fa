import { Temporal } from "temporal-polyfill";
import { day } from "./time.ts";

// Not exported by index.ts, because Temporal is large and no Worker needs it at startup.

/** The local time in a time zone at an instant in epoch milliseconds. */
export const toLocalTime = (at: number, timezone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);

/** The local day (YYYY-MM-DD) at an instant in epoch milliseconds. */
export const localDate = (at: number, timezone: string): string =>
  toLocalTime(at, timezone).toPlainDate().toString();

/** The instant at which a calendar day (YYYY-MM-DD) starts in the zone, in epoch milliseconds. */
export const startOfDay = (date: string, timezone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;

/** The instant at which a calendar day ends in the zone, in epoch milliseconds. */
export const endOfDay = (date: string, timezone: string): number =>
  Temporal.PlainDate.from(date).add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds;

/** Adds calendar days to a date (YYYY-MM-DD). */
export const addDays = (date: string, days: number): string =>
  utcDate(Date.parse(date) + days * day);

/** The date (YYYY-MM-DD) of an instant in UTC. */
export const utcDate = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The number of days from `first` to `last` (YYYY-MM-DD), both included. */
export const countDaysInclusive = (first: string, last: string): number =>
  Temporal.PlainDate.from(first).until(last).days + 1;

/** Adds days to an instant and keeps the local time of day. Instants are in epoch milliseconds. */
export const addDaysAtLocalTime = (at: number, days: number, timezone: string): number =>
  toLocalTime(at, timezone).add({ days }).epochMilliseconds;
