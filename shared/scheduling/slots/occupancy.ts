import { countUpTo, type TimeRange } from "./time-range.ts";

/** The participants of all allocations with the same start and end. */
export type OccupiedRange = Readonly<{
  startsAt: number;
  /** The end of the slot plus its buffer. */
  occupiedUntil: number;
  participants: number;
}>;

/** A time in which a staff member is occupied. */
export type StaffOccupiedRange = OccupiedRange &
  Readonly<{
    staffId: string;
    /** How many of the participants booked the same service at the same location. */
    sameServiceParticipants: number;
  }>;

/** A time in which a resource is occupied. */
export type ResourceOccupiedRange = OccupiedRange & Readonly<{ resourceId: string }>;

/** The allocations that limit one service at one location. Expired holds are left out. */
export type Occupancy = Readonly<{
  /** Allocations of the service at the location. */
  service: readonly OccupiedRange[];
  /** Allocations of the service's staff, for any service. */
  staff: readonly StaffOccupiedRange[];
  /** Allocations of the service's resources, for any service. */
  resources: readonly ResourceOccupiedRange[];
}>;

export const emptyOccupancy: Occupancy = { service: [], staff: [], resources: [] };

/**
 * Returns a function that counts the participants whose allocations overlap a range: those who
 * started before its end, minus those who left by its start. Each count takes two searches, which
 * are short when the ranges are counted in ascending order.
 */
export function overlapCounter(occupied: readonly OccupiedRange[]): (range: TimeRange) => number {
  const startedBy = runningTotal(occupied, ({ startsAt }) => startsAt);
  const leftBy = runningTotal(occupied, ({ occupiedUntil }) => occupiedUntil);
  return ({ start, end }) => startedBy(end - 1) - leftBy(start);
}

/**
 * Returns a function that sums up the participants of all ranges with a time at or before the given
 * time. `timeOf` is the start or the end of a range.
 */
function runningTotal(
  occupied: readonly OccupiedRange[],
  timeOf: (range: OccupiedRange) => number,
): (time: number) => number {
  const sorted = sortByTime(occupied, timeOf);
  const times = new Float64Array(sorted.length);
  const totals = new Float64Array(sorted.length + 1);
  let total = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    const range = sorted[index];
    if (!range) break;
    total += range.participants;
    times[index] = timeOf(range);
    totals[index + 1] = total;
  }
  let count = 0;
  return (time) => {
    count = countUpTo(times, time, count);
    return totals[count] ?? 0;
  };
}

/**
 * Sorts by time. The usual case needs no sort, because the database returns the rows in the order
 * of an index.
 */
function sortByTime(
  occupied: readonly OccupiedRange[],
  timeOf: (range: OccupiedRange) => number,
): readonly OccupiedRange[] {
  let previous = Number.NEGATIVE_INFINITY;
  for (const range of occupied) {
    const time = timeOf(range);
    if (time < previous) return occupied.toSorted((a, b) => timeOf(a) - timeOf(b));
    previous = time;
  }
  return occupied;
}
