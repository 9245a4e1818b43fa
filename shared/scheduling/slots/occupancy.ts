import type { Span } from "./open-hours.ts";

/** Live claims of one time together, as far as they count for somebody. */
export type Claimed = Readonly<{
  startsAt: number;
  /** The end and its buffer. */
  occupiedUntil: number;
  participants: number;
}>;

/** A staff member's; `own` are the participants that are of the service and location in question. */
export type StaffClaimed = Claimed & Readonly<{ staffId: string; own: number }>;

export type ResourceClaimed = Claimed & Readonly<{ resourceId: string }>;

/** What live claims occupy that is in the way of one service at one location. */
export type Occupancy = Readonly<{
  /** Of the service at the location. */
  service: readonly Claimed[];
  /** Of any service, by the service's staff. */
  staff: readonly StaffClaimed[];
  /** Of any service, on the service's resources. */
  resources: readonly ResourceClaimed[];
}>;

export const nothingClaimed: Occupancy = { service: [], staff: [], resources: [] };

/**
 * Counts the participants of the claims that overlap a span, in the time that two binary searches
 * take: those that begin before its end, less those that are over when it begins.
 */
export function overlapCounter(claims: readonly Claimed[]): (span: Span) => number {
  const begun = runningTotal(claims, ({ startsAt }) => startsAt);
  const over = runningTotal(claims, ({ occupiedUntil }) => occupiedUntil);
  return ({ start, end }) => begun(end - 1) - over(start);
}

/** The participants of the claims whose time, be it start or end, is at or before a time. */
function runningTotal(
  claims: readonly Claimed[],
  timeOf: (claim: Claimed) => number,
): (time: number) => number {
  const sorted = inOrder(claims, timeOf);
  const times = new Float64Array(sorted.length);
  const totals = new Float64Array(sorted.length + 1);
  let total = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    const claim = sorted[index];
    if (!claim) break;
    total += claim.participants;
    times[index] = timeOf(claim);
    totals[index + 1] = total;
  }
  return (time) => totals[countUpTo(times, time)] ?? 0;
}

/** By their time; they mostly come in that order, from an index. */
function inOrder(
  claims: readonly Claimed[],
  timeOf: (claim: Claimed) => number,
): readonly Claimed[] {
  let before = Number.NEGATIVE_INFINITY;
  for (const claim of claims) {
    const time = timeOf(claim);
    if (time < before) return claims.toSorted((one, other) => timeOf(one) - timeOf(other));
    before = time;
  }
  return claims;
}

/** How many of the ascending times are at or before a time. */
export function countUpTo(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
