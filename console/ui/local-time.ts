/** A day (YYYY-MM-DD) and the minutes since its midnight, as a clock in the shop's zone shows them. */
export type LocalTime = Readonly<{ day: string; minutes: number }>;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const created = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  formats.set(timeZone, created);
  return created;
}

/** What a clock in the zone shows at a time. */
export function toLocalTime(time: string | number | Date, timeZone: string): LocalTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(new Date(time))
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`,
    minutes: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
  };
}

const minuteMs = 60_000;

/** The minutes since 1970 that the clock shows, as if it had no zone. */
const clockMinutes = ({ day, minutes }: LocalTime): number =>
  Date.parse(`${day}T00:00:00Z`) / minuteMs + minutes;

/** The time at which a clock in the zone shows this. In a skipped hour, the time after it. */
export function fromLocalTime(local: LocalTime, timeZone: string): string {
  const wanted = clockMinutes(local);
  let guess = wanted;
  // The second round corrects a guess on the other side of a change of the clocks.
  for (const _ of [1, 2]) {
    guess += wanted - clockMinutes(toLocalTime(guess * minuteMs, timeZone));
  }
  return new Date(guess * minuteMs).toISOString();
}

/** The day some days later, or earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * 60 * minuteMs).toISOString().slice(0, 10);

/** The Monday of a day's week. */
export const mondayOf = (day: string): string =>
  addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Minutes since midnight as a time input has them: 09:30. */
export const toClockText = (minutes: number): string =>
  `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

export function fromClockText(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * 60 + minutes;
}
