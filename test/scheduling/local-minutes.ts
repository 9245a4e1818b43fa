import { type Weekday, weekdays } from "../../shared/kernel/index.ts";

/** A minute of local time. */
export type LocalMinute = Readonly<{
  /** When it starts, in epoch milliseconds. */
  at: number;
  date: string;
  weekday: Weekday;
  /** The local time in minutes since 00:00. */
  time: number;
}>;

const minutesCache = new Map<string, readonly LocalMinute[]>();

/** Lists consecutive minutes of local time, computed with Intl only. */
export function localMinutes(zone: string, from: string, count: number): readonly LocalMinute[] {
  const key = `${zone} ${from} ${count}`;
  const cached = minutesCache.get(key);
  if (cached) return cached;
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
    return { at, ...parseLocalMinute(wall.format(at)) };
  });
  minutesCache.set(key, made);
  return made;
}

/** Parses a text such as "Sun, 29/03/2026, 02:30". */
function parseLocalMinute(text: string) {
  const name = text.slice(0, 3).toLowerCase();
  const [day, month, year, hours, minutes] = text.match(/\d+/g) ?? [];
  const weekday = weekdays.find((one) => one === name);
  if (!weekday) throw new Error(`Intl wrote ${text}.`);
  return { date: `${year}-${month}-${day}`, weekday, time: Number(hours) * 60 + Number(minutes) };
}
