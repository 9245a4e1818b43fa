import { toLocalTime } from "../../ui/local-time.ts";
import type { Booking } from "./booking.tsx";

/** A column of the calendar: a day, or what a person or a resource has on a day. */
export type Column = Readonly<{
  key: string;
  day: string;
  name: string;
  /** Under the name, such as that a person is away. */
  note?: string | undefined;
  /** The person whose column it is; a booking that is dropped there is theirs. */
  staffId?: string | undefined;
  resourceId?: string | undefined;
  isToday: boolean;
  bookings: readonly Booking[];
}>;

/** Where a booking lies in its column, in minutes since midnight and in lanes beside others. */
export type Placed = Readonly<{
  booking: Booking;
  start: number;
  end: number;
  lane: number;
  lanes: number;
}>;

const minutesPerDay = 24 * 60;
/** A shorter booking is drawn with this length, so that its text fits. */
const leastDrawnMinutes = 25;

/** The part of a booking that lies on a day. */
function rangeOn(day: string, booking: Booking, timezone: string) {
  const start = toLocalTime(booking.start_time, timezone);
  const end = toLocalTime(booking.end_time, timezone);
  return {
    start: start.day < day ? 0 : start.minutes,
    end: end.day > day ? minutesPerDay : end.minutes,
  };
}

/** Lays bookings of a column out, those at the same time beside each other. */
export function placeBookings(
  { day, bookings }: Pick<Column, "day" | "bookings">,
  timezone: string,
): readonly Placed[] {
  const ranges = bookings
    .map((booking) => ({ booking, ...rangeOn(day, booking, timezone) }))
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const placed: Placed[] = [];
  let group: (Omit<Placed, "lanes"> & { drawnUntil: number })[] = [];
  const closeGroup = () => {
    const lanes = 1 + Math.max(0, ...group.map(({ lane }) => lane));
    placed.push(...group.map(({ drawnUntil: _, ...one }) => ({ ...one, lanes })));
    group = [];
  };
  for (const range of ranges) {
    if (group.every(({ drawnUntil }) => drawnUntil <= range.start)) closeGroup();
    const taken = new Set(
      group.filter(({ drawnUntil }) => drawnUntil > range.start).map(({ lane }) => lane),
    );
    let lane = 0;
    while (taken.has(lane)) lane += 1;
    const drawnUntil = Math.max(range.end, range.start + leastDrawnMinutes);
    group.push({ ...range, lane, drawnUntil });
  }
  closeGroup();
  return placed;
}

/** The hours that the calendar shows: the usual working day, and more when a booking needs it. */
export function shownHours(
  columns: readonly Column[],
  timezone: string,
): Readonly<{ from: number; to: number }> {
  const ranges = columns.flatMap(({ day, bookings }) =>
    bookings.map((booking) => rangeOn(day, booking, timezone)),
  );
  return {
    from: Math.min(8, ...ranges.map(({ start }) => Math.floor(start / 60))),
    to: Math.max(19, ...ranges.map(({ end }) => Math.ceil(end / 60))),
  };
}
