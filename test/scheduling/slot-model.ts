import type { Closure, OpeningHours } from "../../shared/businesses/index.ts";
import type { LocalMinute } from "./local-minutes.ts";

/** The rules of completions.md 8 said minute by minute, without a thought for speed. */
export type Scene = Readonly<{
  hours: OpeningHours;
  closures: readonly Closure[];
  duration: number;
  buffer: number;
  capacity: number;
  interval: number;
  minNotice: number;
  windowDays: number;
  /** Null: the service needs nobody. */
  staff:
    | readonly Readonly<{ id: string; hours: OpeningHours | null; timeOff: readonly Closure[] }>[]
    | null;
  resources: readonly Readonly<{ id: string; capacity: number }>[];
  claims: readonly SceneClaim[];
  participants: number;
  now: number;
}>;

export type SceneClaim = Readonly<{
  /** Of the service at the location; else of another. */
  isOwn: boolean;
  staffId: string | null;
  resourceIds: readonly string[];
  participants: number;
  start: number;
  until: number;
}>;

export type ModelSlot = Readonly<{
  start: number;
  end: number;
  remaining: number;
  reason: string | null;
  /** Who may be chosen. */
  staff: readonly string[];
}>;

const minute = 60_000;

/** Every slot there is among those minutes, by the local day on which it begins. */
export function modelSlots(
  scene: Scene,
  minutes: readonly LocalMinute[],
): (ModelSlot & { date: string })[] {
  const opened = minutes.map((at) => openingAt(scene.hours, scene.closures, at));
  const working = (scene.staff ?? []).map(({ id, hours, timeOff }) => ({
    id,
    works: minutes.map((at) => openingAt(hours ?? scene.hours, timeOff, at)),
  }));
  return minutes.flatMap((one, index) => {
    const opening = opened[index] ?? null;
    if (opening === null || (one.time - opening) % scene.interval !== 0) return [];
    const after = index + scene.duration;
    const through = (openings: readonly (number | null)[]) =>
      after <= openings.length && !openings.slice(index, after).includes(null);
    if (!through(opened)) return [];
    const atWork = working.flatMap(({ id, works }) => (through(works) ? [id] : []));
    return [{ date: one.date, ...judged(scene, one, atWork, minutes) }];
  });
}

function judged(
  scene: Scene,
  { at: start, date }: LocalMinute,
  atWork: readonly string[],
  minutes: readonly LocalMinute[],
): ModelSlot {
  const end = start + scene.duration * minute;
  const until = end + scene.buffer * minute;
  const meeting = scene.claims.filter((claim) => claim.start < until && start < claim.until);
  const sum = (claims: readonly SceneClaim[]) =>
    claims.reduce((total, { participants }) => total + participants, 0);
  const remaining = Math.max(
    0,
    Math.min(
      scene.capacity - sum(meeting.filter(({ isOwn }) => isOwn)),
      ...scene.resources.map(
        ({ id, capacity }) =>
          capacity - sum(meeting.filter(({ resourceIds }) => resourceIds.includes(id))),
      ),
    ),
  );
  const free = atWork.flatMap((id) => {
    const sessions = meeting.filter(({ staffId }) => staffId === id);
    const isShared = sessions.every((claim) => claim.isOwn && claim.start === start);
    return isShared ? [{ id, shared: sum(sessions) }] : [];
  });
  const fewest = Math.min(...free.map(({ shared }) => shared));
  const staff = free.filter(({ shared }) => shared === fewest).map(({ id }) => id);
  const today = minutes[Math.floor((scene.now - (minutes[0]?.at ?? 0)) / minute)]?.date ?? "";
  const daysAhead = (Date.parse(date) - Date.parse(today)) / (24 * 60 * minute);
  const reason =
    start < scene.now + scene.minNotice * minute
      ? "TOO_SOON"
      : daysAhead > scene.windowDays
        ? "TOO_LATE"
        : remaining < scene.participants
          ? "FULLY_BOOKED"
          : scene.staff && staff.length === 0
            ? "STAFF_UNAVAILABLE"
            : null;
  return { start, end, remaining, reason, staff: reason === null ? staff : [] };
}

/** The opening time of the interval in which the clock stands at that minute; null when it is closed. */
function openingAt(
  hours: OpeningHours,
  closures: readonly Closure[],
  { date, weekday, time }: LocalMinute,
): number | null {
  if (closures.some(({ from, to }) => from <= date && date <= to)) return null;
  const interval = (hours[weekday] ?? []).find(
    ({ open, close }) => timeOf(open) <= time && time < timeOf(close),
  );
  return interval ? timeOf(interval.open) : null;
}

const timeOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
