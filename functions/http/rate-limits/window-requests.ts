import type { WindowRequest } from "../../runtime/rate-limit-counters.ts";
import { type Limit, type LimitState, recentMs } from "./limit-state.ts";

/**
 * A lease should cover at least this many requests. Such a lease covers several windows.
 */
const minRequestsPerLease = 20;

/** An isolate leases this part of every later window in advance, for a caller that comes rarely. */
const advanceShare = 1 / 50;

/**
 * All isolates together lease no more than this part of a window in advance, because they may never
 * use it.
 */
const maxAdvanceShare = 1 / 10;

/** The later windows that are leased in advance: the seconds of a minute, or a few minutes. */
const maxAdvanceWindows = 60;
const maxAdvanceMs = 5 * 60_000;

/**
 * A window that begins sooner is not leased in advance, because isolates whose clock is ahead may
 * already use it.
 */
const maxClockDifferenceMs = 1_000;

/** The windows that a lease of the limit should cover, the current one first. */
export function windowRequestsFor(
  state: LimitState,
  limit: Limit,
  { endsAt, now }: Readonly<{ endsAt: number; now: number }>,
): readonly WindowRequest[] {
  const { seenRequests, decidedRequests, usualRequests } = state;
  const expected = Math.max(Math.ceil(limit.limit / 20), decidedRequests, usualRequests);
  // At most half of the limit, so that other isolates get requests too.
  const wanted = Math.min(expected, Math.ceil(limit.limit / 2));
  const steady = steadyWindows(state, limit);
  const isNextNear = endsAt - now <= maxClockDifferenceMs;
  return [
    { endsAt, wanted: Math.max(wanted, seenRequests - decidedRequests) },
    ...steadyRequests(state, limit, { endsAt, count: steady }),
    ...advanceRequests(state, limit, {
      endsAt,
      skipped: Math.max(steady, isNextNear ? 1 : 0),
    }),
  ];
}

/** How many later windows a lease covers for steady traffic, so that it has enough requests. */
function steadyWindows({ usualRequests }: LimitState, { limit, windowMs }: Limit): number {
  if (usualRequests === 0 || limit < minRequestsPerLease || 2 * usualRequests > limit) return 0;
  const windowsPerLease = Math.min(
    Math.ceil(minRequestsPerLease / usualRequests),
    Math.floor(recentMs / windowMs),
  );
  return Math.max(windowsPerLease - 1, 0);
}

function steadyRequests(
  { windows, usualRequests }: LimitState,
  { windowMs }: Limit,
  { endsAt, count }: Readonly<{ endsAt: number; count: number }>,
): WindowRequest[] {
  const wantedPerWindow = Math.ceil(1.25 * usualRequests);
  return laterEnds(endsAt, windowMs, { from: 1, to: count })
    .map((end) => ({ endsAt: end, wanted: wantedPerWindow - (windows.get(end)?.left ?? 0) }))
    .filter(({ wanted }) => wanted > 0);
}

/**
 * Also leases a few requests of the windows after the steady ones, so that a caller who comes every
 * few seconds needs a lease about once a minute. Empty for a small limit, for a caller with more
 * requests than may be leased in advance, and while the isolate holds such a lease.
 */
function advanceRequests(
  { advance, usualRequests }: LimitState,
  { limit, windowMs }: Limit,
  { endsAt, skipped }: Readonly<{ endsAt: number; skipped: number }>,
): WindowRequest[] {
  const upTo = Math.floor(limit * maxAdvanceShare);
  const wanted = Math.min(Math.max(Math.ceil(limit * advanceShare), usualRequests), upTo);
  const isHeld = advance !== null && advance.lastEnd > endsAt && advance.perWindow >= wanted;
  if (limit < minRequestsPerLease || usualRequests > upTo || isHeld) return [];
  const count = Math.min(maxAdvanceWindows, Math.floor(maxAdvanceMs / windowMs));
  return laterEnds(endsAt, windowMs, { from: skipped + 1, to: count }).map((end) => ({
    endsAt: end,
    wanted,
    upTo,
  }));
}

const laterEnds = (
  endsAt: number,
  windowMs: number,
  { from, to }: Readonly<{ from: number; to: number }>,
): number[] =>
  Array.from(
    { length: Math.max(to - from + 1, 0) },
    (_, index) => endsAt + (from + index) * windowMs,
  );
