import { countUpTo, type TimeRange } from "./time-range.ts";

/** The participants of all live slot allocations with the same times. */
export type OccupiedRange = Readonly<{
  startsAt: number;
  /** The end of the slot plus its buffer. */
  occupiedUntil: number;
  participants: number;
}>;

/** A range in which a staff member is occupied. */
export type StaffOccupiedRange = OccupiedRange &
  Readonly<{
    staffId: string;
    /** Those of the participants who booked the same service at the same location. */
    sameServiceParticipants: number;
  }>;

/** A range in which a resource is occupied. */
export type ResourceOccupiedRange = OccupiedRange & Readonly<{ resourceId: string }>;

/** The live slot allocations that limit one service at one location. */
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
 * Returns a function that counts the participants whose occupied ranges overlap a range. Each count
 * takes two binary searches: the participants who started before its end, minus those who left by
 * its start.
 */
export function overlapCounter(occupied: readonly OccupiedRange[]): (range: TimeRange) => number {
  const startedBy = runningTotal(occupied, ({ startsAt }) => startsAt);
  const leftBy = runningTotal(occupied, ({ occupiedUntil }) => occupiedUntil);
  return ({ start, end }) => startedBy(end - 1) - leftBy(start);
}

/** Returns a function that sums the participants of the ranges whose time is at or before a time. */
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
  return (time) => totals[countUpTo(times, time)] ?? 0;
}

/** Sorts by time, and skips the sort when the rows are already in order, as an index returns them. */
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
