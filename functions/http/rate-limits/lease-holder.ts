import type { Counters, Lease, WindowRequest } from "../../runtime/rate-limit-counters.ts";

/** How many requests a window admits. `name` identifies whose requests are counted. */
export type Limit = Readonly<{ name: string; limit: number; windowMs: number }>;

/** The state of a limit after this request. */
export type RateState = Readonly<{
  limit: number;
  remaining: number;
  resetAt: number;
  isExceeded: boolean;
}>;

/** The counters that grant leases of several requests, and callbacks that report each lease. */
export type LeaseSource = Readonly<{
  counters: Counters;
  now: () => number;
  /** Called when a round trip to a counter begins. */
  onRoundTrip: () => void;
  /** Called when the limit's counter cannot be reached. Requests are then admitted. */
  onFailure: (limit: Limit, error: unknown) => void;
}>;

/**
 * `left` counts the unused requests of this isolate's lease, `taken` those that all isolates
 * leased.
 */
type LeasedWindow = { left: number; taken: number };

type LimitState = {
  limit: number;
  /** The leased windows, keyed by the end of each window. */
  windows: Map<number, LeasedWindow>;
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

/** For this long, requests are admitted without a lease after a counter could not be reached. */
const failurePauseMs = 1_000;
/**
 * A lease should cover at least this many requests. Such a lease covers several windows.
 */
const minRequestsPerLease = 20;
/** Windows that begin later than this are not leased in advance. */
const prefetchWindowMs = 20_000;
/** The timeout of a call to a counter. */
export const leaseTimeoutMs = 1_000;
/**
 * How long a request waits for a lease that another request asked for, before it asks for its own.
 */
const pendingLeaseWaitMs = 100;
const pendingLeasePollMs = 2;

/**
 * Admits an isolate's requests from leases, each of which covers many requests. Keeps at most
 * `maxHeld` limits; the requests of a dropped lease stay counted, so no limit is exceeded. Waiting
 * requests poll, because a shared promise would die with the request that created it.
 */
export function createLeaseHolder({ maxHeld = 10_000, timeoutMs = leaseTimeoutMs } = {}) {
  const stateByLimit = new Map<string, LimitState>();

  /** Counts a request against its limit. Admits the request when the counter cannot be reached. */
  async function take(limit: Limit, source: LeaseSource): Promise<RateState> {
    const state = stateOf(limit);
    const endsAt = windowEnd(source.now(), limit.windowMs);
    countRequest(state, endsAt, limit.windowMs);
    let rate = takeFromLease(state, endsAt);
    while (!rate && !hasFailedRecently(state, source.now())) {
      await requestLease(state, { limit, source, endsAt });
      rate = takeFromLease(state, endsAt);
    }
    state.decidedRequests += 1;
    return rate ?? admittedState(state, endsAt);
  }

  function stateOf({ name, limit }: Limit): LimitState {
    const existing = stateByLimit.get(name);
    const state = existing?.limit === limit ? existing : createLimitState(limit);
    stateByLimit.delete(name);
    stateByLimit.set(name, state);
    if (stateByLimit.size > maxHeld) {
      const oldest = stateByLimit.keys().next();
      if (!oldest.done) stateByLimit.delete(oldest.value);
    }
    return state;
  }

  /**
   * Waits for the pending lease, or requests a new one. After a failure all requests are admitted
   * for `failurePauseMs`.
   */
  async function requestLease(
    state: LimitState,
    { limit, source, endsAt }: { limit: Limit; source: LeaseSource; endsAt: number },
  ): Promise<void> {
    if (state.pendingLease !== null && (await waitForPendingLease(state, state.pendingLease))) {
      return;
    }
    const lease = {};
    state.pendingLease = lease;
    source.onRoundTrip();
    try {
      const windows = windowRequestsFor(state, limit, endsAt);
      const request = { limit: limit.limit, windowMs: limit.windowMs, windows };
      addLease(state, await withTimeout(timeoutMs, source.counters.lease(limit.name, request)));
    } catch (error) {
      if (!hasFailedRecently(state, source.now())) source.onFailure(limit, error);
      state.failedAt = source.now();
    } finally {
      if (state.pendingLease === lease) state.pendingLease = null;
    }
  }

  /**
   * The state of a limit that this isolate knows to be exhausted, otherwise null. Counts no
   * request.
   */
  function exhaustedState({ name, limit, windowMs }: Limit, now: number): RateState | null {
    const state = stateByLimit.get(name);
    const endsAt = windowEnd(now, windowMs);
    const window = state?.limit === limit ? state.windows.get(endsAt) : undefined;
    if (!window || window.left > 0 || window.taken < limit) return null;
    return { limit, remaining: 0, resetAt: endsAt, isExceeded: true };
  }

  return { take, exhaustedState };
}

const createLimitState = (limit: number): LimitState => ({
  limit,
  windows: new Map(),
  seenRequests: 0,
  decidedRequests: 0,
  countedWindowEnd: 0,
  usualRequests: 0,
  pendingLease: null,
  failedAt: Number.NEGATIVE_INFINITY,
});

/**
 * Uses one leased request of the window. Null when only a new lease can show whether requests are
 * left.
 */
function takeFromLease({ windows, limit }: LimitState, endsAt: number): RateState | null {
  const window = windows.get(endsAt);
  if (!window) return null;
  if (window.left > 0) {
    window.left -= 1;
    const remaining = limit - window.taken + window.left;
    return { limit, remaining, resetAt: endsAt, isExceeded: false };
  }
  return window.taken < limit ? null : { limit, remaining: 0, resetAt: endsAt, isExceeded: true };
}

const admittedState = ({ limit }: LimitState, endsAt: number): RateState => ({
  limit,
  remaining: limit - 1,
  resetAt: endsAt,
  isExceeded: false,
});

/** The end of the window that contains `now`. */
export const windowEnd = (now: number, windowMs: number): number =>
  now - (now % windowMs) + windowMs;

/** Compares the absolute difference, because the clock may have been set back. */
const hasFailedRecently = ({ failedAt }: LimitState, now: number): boolean =>
  Math.abs(now - failedAt) < failurePauseMs;

/** Counts a request. The first request of a new window updates `usualRequests`. */
function countRequest(state: LimitState, endsAt: number, windowMs: number): void {
  if (endsAt !== state.countedWindowEnd) {
    const isRecent =
      Math.abs(endsAt - state.countedWindowEnd) <= Math.max(prefetchWindowMs, windowMs);
    state.usualRequests = isRecent
      ? Math.max(state.seenRequests, Math.floor(state.usualRequests / 2))
      : 0;
    state.seenRequests = 0;
    state.decidedRequests = 0;
    state.countedWindowEnd = endsAt;
    for (const end of state.windows.keys()) {
      if (end < endsAt - windowMs) state.windows.delete(end);
    }
  }
  state.seenRequests += 1;
}

/**
 * Whether the pending lease ended in time. A lease never ends if the request that asked for it was
 * cancelled.
 */
async function waitForPendingLease(state: LimitState, lease: object): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < pendingLeaseWaitMs; waitedMs += pendingLeasePollMs) {
    await new Promise((resolve) => setTimeout(resolve, pendingLeasePollMs));
    if (state.pendingLease !== lease) return true;
  }
  return false;
}

function windowRequestsFor(state: LimitState, limit: Limit, endsAt: number): WindowRequest[] {
  const { seenRequests, decidedRequests, usualRequests } = state;
  const expected = Math.max(Math.ceil(limit.limit / 20), decidedRequests, usualRequests);
  // At most half of the limit, so that other isolates get requests too.
  const wanted = Math.min(expected, Math.ceil(limit.limit / 2));
  return [
    { endsAt, wanted: Math.max(wanted, seenRequests - decidedRequests) },
    ...prefetchRequests(state, limit, endsAt),
  ];
}

/** Also leases later windows when each window has few requests, so that one lease covers enough. */
function prefetchRequests(
  { windows, usualRequests }: LimitState,
  { limit, windowMs }: Limit,
  endsAt: number,
): WindowRequest[] {
  if (usualRequests === 0 || limit < minRequestsPerLease || 2 * usualRequests > limit) return [];
  const windowsPerLease = Math.min(
    Math.ceil(minRequestsPerLease / usualRequests),
    Math.floor(prefetchWindowMs / windowMs),
  );
  const wantedPerWindow = Math.ceil(1.25 * usualRequests);
  return Array.from({ length: Math.max(windowsPerLease - 1, 0) }, (_, index) => {
    const laterEnd = endsAt + (index + 1) * windowMs;
    return { endsAt: laterEnd, wanted: wantedPerWindow - (windows.get(laterEnd)?.left ?? 0) };
  }).filter(({ wanted }) => wanted > 0);
}

function addLease({ windows }: LimitState, lease: Lease): void {
  for (const { endsAt, granted, taken } of lease) {
    const window = windows.get(endsAt) ?? { left: 0, taken: 0 };
    windows.set(endsAt, {
      left: window.left + granted,
      taken: Math.max(window.taken, taken),
    });
  }
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
