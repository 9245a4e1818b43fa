import { type Weekday, weekdays } from "../../shared/businesses/index.ts";

/** A minute as the clock on a wall shows it. */
export type LocalMinute = Readonly<{
  /** The instant at which it begins, epoch milliseconds. */
  at: number;
  date: string;
  weekday: Weekday;
  /** Minutes since the clock showed 00:00. */
  time: number;
}>;

const remembered = new Map<string, readonly LocalMinute[]>();

/** Every minute from an instant on, by Intl alone. */
export function localMinutes(zone: string, from: string, count: number): readonly LocalMinute[] {
  const key = `${zone} ${from} ${count}`;
  const known = remembered.get(key);
  if (known) return known;
  const wall = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const made = Array.from({ length: count }, (_, index) => {
    const at = Date.parse(from) + index * 60_000;
    return { at, ...shown(wall.format(at)) };
  });
  remembered.set(key, made);
  return made;
}

/** Of a text such as "Sun, 29/03/2026, 02:30". */
function shown(text: string) {
  const name = text.slice(0, 3).toLowerCase();
  const [day, month, year, hours, minutes] = text.match(/\d+/g) ?? [];
  const weekday = weekdays.find((one) => one === name);
  if (!weekday) throw new Error(`Intl wrote ${text}.`);
  return { date: `${year}-${month}-${day}`, weekday, time: Number(hours) * 60 + Number(minutes) };
}
