import type { Lease, WindowRequest } from "../../runtime/rate-limit-counters.ts";

/**
 * How many requests a window admits. `name` identifies whose requests are counted. `counter` names
 * the counter that keeps this limit together with others, and its part there; by default a limit has
 * a counter of its own.
 */
export type Limit = Readonly<{
  name: string;
  limit: number;
  windowMs: number;
  counter?: Readonly<{ name: string; part: string }>;
}>;

/** The state of a limit after this request. */
export type RateState = Readonly<{
  limit: number;
  remaining: number;
  resetAt: number;
  isExceeded: boolean;
}>;

/**
 * `left` counts the unused requests of this isolate's lease, `taken` those that all isolates
 * leased.
 */
type LeasedWindow = { left: number; taken: number };

/**
 * The same number of requests of every window from `nextEnd` to `lastEnd`. It is a range, because
 * an isolate holds thousands of limits and a range takes less memory than its windows.
 */
type AdvanceLease = { nextEnd: number; lastEnd: number; perWindow: number; taken: number };

export type LimitState = {
  limit: number;
  /** The leased windows, keyed by the end of each window. */
  windows: Map<number, LeasedWindow>;
  /** Later windows, none of which is in use yet. */
  advance: AdvanceLease | null;
  /** Requests that this isolate received in the window that ends at `countedWindowEnd`. */
  seenRequests: number;
  /** How many of the seen requests were admitted or refused. The others are waiting for a lease. */
  decidedRequests: number;
  countedWindowEnd: number;
  /** How many requests this isolate received in a recent window. */
  usualRequests: number;
  /** Identifies the lease request in progress. */
  pendingLease: object | null;
  failedAt: number;
};

export const createLimitState = (limit: number): LimitState => ({
  limit,
  windows: new Map(),
  advance: null,
  seenRequests: 0,
  decidedRequests: 0,
  countedWindowEnd: 0,
  usualRequests: 0,
  pendingLease: null,
  failedAt: Number.NEGATIVE_INFINITY,
});

/** Requests of the last window count as usual for at least this long. */
export const recentMs = 20_000;

/** The end of the window that contains `now`. */
export const windowEnd = (now: number, windowMs: number): number =>
  now - (now % windowMs) + windowMs;

/** Counts a request. */
export function countSeenRequest(state: LimitState, endsAt: number, windowMs: number): void {
  beginWindow(state, endsAt, windowMs);
  state.seenRequests += 1;
}

/** Starts the counts of a new window at 0, and updates `usualRequests`. */
export function beginWindow(state: LimitState, endsAt: number, windowMs: number): void {
  if (endsAt === state.countedWindowEnd) return;
  const isRecent = Math.abs(endsAt - state.countedWindowEnd) <= Math.max(recentMs, windowMs);
  state.usualRequests = isRecent
    ? Math.max(state.seenRequests, Math.floor(state.usualRequests / 2))
    : 0;
  state.seenRequests = 0;
  state.decidedRequests = 0;
  state.countedWindowEnd = endsAt;
  for (const end of state.windows.keys()) {
    if (end < endsAt - windowMs) state.windows.delete(end);
  }
  openAdvanceWindow(state, endsAt, windowMs);
}

/**
 * Moves the window's requests out of the advance lease. The windows before this one lose theirs, so
 * that a clock that is set back cannot use them twice.
 */
function openAdvanceWindow(state: LimitState, endsAt: number, windowMs: number): void {
  const { advance, windows } = state;
  if (advance === null || endsAt < advance.nextEnd || endsAt > advance.lastEnd) return;
  const { left, taken } = windows.get(endsAt) ?? { left: 0, taken: 0 };
  windows.set(endsAt, {
    left: left + advance.perWindow,
    taken: Math.max(taken, advance.taken),
  });
  advance.nextEnd = endsAt + windowMs;
}

/**
 * Uses one leased request of the window. Null when only a new lease can show whether requests are
 * left.
 */
export function takeFromLease({ windows, limit }: LimitState, endsAt: number): RateState | null {
  const window = windows.get(endsAt);
  if (!window) return null;
  if (window.left > 0) {
    window.left -= 1;
    const remaining = limit - window.taken + window.left;
    return { limit, remaining, resetAt: endsAt, isExceeded: false };
  }
  return window.taken < limit ? null : { limit, remaining: 0, resetAt: endsAt, isExceeded: true };
}

/** Adds what the counter granted for these window requests, which are in the same order. */
export function addLease(
  state: LimitState,
  requests: readonly WindowRequest[],
  lease: Lease,
): void {
  const isInAdvance = (index: number) => requests[index]?.upTo !== undefined;
  for (const { endsAt, granted, taken } of lease.filter((_, index) => !isInAdvance(index))) {
    const window = state.windows.get(endsAt) ?? { left: 0, taken: 0 };
    state.windows.set(endsAt, {
      left: window.left + granted,
      taken: Math.max(window.taken, taken),
    });
  }
  const advanceRequests = requests.filter(({ upTo }) => upTo !== undefined);
  const advanceGrants = lease.filter((_, index) => isInAdvance(index));
  state.advance = toAdvanceLease(advanceRequests, advanceGrants) ?? state.advance;
}

/** The first windows in a row that granted everything that was wanted; null when none did. */
function toAdvanceLease(requests: readonly WindowRequest[], lease: Lease): AdvanceLease | null {
  const isWhole = lease.map(({ granted }, index) => granted === requests[index]?.wanted);
  const start = isWhole.indexOf(true);
  if (start < 0) return null;
  const end = isWhole.indexOf(false, start);
  const run = lease.slice(start, end < 0 ? undefined : end);
  const [first, last] = [run.at(0), run.at(-1)];
  if (!first || !last) return null;
  return {
    nextEnd: first.endsAt,
    lastEnd: last.endsAt,
    perWindow: first.granted,
    taken: Math.max(...run.map(({ taken }) => taken)),
  };
}
