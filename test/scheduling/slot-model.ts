import type { Closure, OpeningHours } from "../../shared/businesses/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import type { LocalMinute } from "./local-minutes.ts";

/** The input of a slow, minute-by-minute model of docs/contract/storefront.md#slot-rules. */
export type SlotCase = Readonly<{
  hours: OpeningHours;
  closures: readonly Closure[];
  duration: number;
  buffer: number;
  capacity: number;
  interval: number;
  minNotice: number;
  windowDays: number;
  /** Null when the service needs no staff. */
  staff:
    | readonly Readonly<{ id: string; hours: OpeningHours | null; timeOff: readonly Closure[] }>[]
    | null;
  resources: readonly Readonly<{ id: string; capacity: number }>[];
  allocations: readonly CaseAllocation[];
  participants: number;
  now: number;
}>;

export type CaseAllocation = Readonly<{
  /** Whether it is of the same service and location. */
  isSameService: boolean;
  staffId: string | null;
  resourceIds: readonly string[];
  participants: number;
  start: number;
  occupiedUntil: number;
}>;

export type ModelSlot = Readonly<{
  start: number;
  end: number;
  remaining: number;
  reason: string | null;
  /** The staff members who may be selected. */
  staff: readonly string[];
}>;

/** Computes every slot that starts in these minutes, with its local day. */
export function modelSlots(
  slotCase: SlotCase,
  minutes: readonly LocalMinute[],
): (ModelSlot & { date: string })[] {
  const opened = minutes.map((at) => openingAt(slotCase.hours, slotCase.closures, at));
  const working = (slotCase.staff ?? []).map(({ id, hours, timeOff }) => ({
    id,
    works: minutes.map((at) => openingAt(hours ?? slotCase.hours, timeOff, at)),
  }));
  return minutes.flatMap((one, index) => {
    const opening = opened[index] ?? null;
    if (opening === null || (one.time - opening) % slotCase.interval !== 0) return [];
    const after = index + slotCase.duration;
    const through = (openings: readonly (number | null)[]) =>
      after <= openings.length && !openings.slice(index, after).includes(null);
    if (!through(opened)) return [];
    const workingIds = working.flatMap(({ id, works }) => (through(works) ? [id] : []));
    return [{ date: one.date, ...evaluateSlot(slotCase, one, workingIds, minutes) }];
  });
}

function evaluateSlot(
  slotCase: SlotCase,
  { at: start, date }: LocalMinute,
  workingIds: readonly string[],
  minutes: readonly LocalMinute[],
): ModelSlot {
  const end = start + slotCase.duration * minute;
  const occupiedUntil = end + slotCase.buffer * minute;
  const overlapping = slotCase.allocations.filter(
    (allocation) => allocation.start < occupiedUntil && start < allocation.occupiedUntil,
  );
  const sum = (allocations: readonly CaseAllocation[]) =>
    allocations.reduce((total, { participants }) => total + participants, 0);
  const remaining = Math.max(
    0,
    Math.min(
      slotCase.capacity - sum(overlapping.filter(({ isSameService: isOwn }) => isOwn)),
      ...slotCase.resources.map(
        ({ id, capacity }) =>
          capacity - sum(overlapping.filter(({ resourceIds }) => resourceIds.includes(id))),
      ),
    ),
  );
  const free = workingIds.flatMap((id) => {
    const sessions = overlapping.filter(({ staffId }) => staffId === id);
    const isShared = sessions.every(
      (allocation) => allocation.isSameService && allocation.start === start,
    );
    return isShared ? [{ id, shared: sum(sessions) }] : [];
  });
  const fewest = Math.min(...free.map(({ shared }) => shared));
  const staff = free.filter(({ shared }) => shared === fewest).map(({ id }) => id);
  const today = minutes[Math.floor((slotCase.now - (minutes[0]?.at ?? 0)) / minute)]?.date ?? "";
  const daysAhead = (Date.parse(date) - Date.parse(today)) / (24 * 60 * minute);
  const reason =
    start < slotCase.now + slotCase.minNotice * minute
      ? "TOO_SOON"
      : daysAhead > slotCase.windowDays
        ? "TOO_LATE"
        : remaining < slotCase.participants
          ? "FULLY_BOOKED"
          : slotCase.staff && staff.length === 0
            ? "STAFF_UNAVAILABLE"
            : null;
  return { start, end, remaining, reason, staff: reason === null ? staff : [] };
}

/** The opening time of the interval that contains the minute; null when it is closed. */
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
