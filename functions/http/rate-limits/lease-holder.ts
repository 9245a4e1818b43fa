import type { Counters, LeaseRequest } from "../../runtime/rate-limit-counters.ts";
import {
  addLease,
  beginWindow,
  countSeenRequest,
  createLimitState,
  type Limit,
  type LimitState,
  type RateState,
  takeFromLease,
  windowEnd,
} from "./limit-state.ts";
import { windowRequestsFor } from "./window-requests.ts";

/** The counters that grant leases of several requests, and callbacks that report each lease. */
export type LeaseSource = Readonly<{
  counters: Counters;
  now: () => number;
  /** Called when a round trip to a counter begins. */
  onRoundTrip: () => void;
  /** Called when the limit's counter cannot be reached. Requests are then admitted. */
  onFailure: (limit: Limit, error: unknown) => void;
}>;

/** For this long, requests are admitted without a lease after a counter could not be reached. */
const failurePauseMs = 1_000;
/** The timeout of a call to a counter. */
export const leaseTimeoutMs = 1_000;
/**
 * How long a request waits for a lease that another request asked for, before it asks for its own.
 */
const pendingLeaseWaitMs = 100;
const pendingLeasePollMs = 2;

/** A limit of the request, and the window against which the request is counted. */
type CountedLimit = Readonly<{ limit: Limit; state: LimitState; endsAt: number }>;

/**
 * Admits an isolate's requests from leases, each of which covers many requests. Keeps at most
 * `maxHeld` limits; the requests of a dropped lease stay counted, so no limit is exceeded. Waiting
 * requests poll, because a shared promise would die with the request that created it.
 */
export function createLeaseHolder({ maxHeld = 10_000, timeoutMs = leaseTimeoutMs } = {}) {
  const stateByLimit = new Map<string, LimitState>();

  /** Counts a request against its limit. Admits the request when the counter cannot be reached. */
  async function take(limit: Limit, source: LeaseSource): Promise<RateState> {
    const [rate] = await takeTogether([limit], source);
    if (!rate) throw new Error("A limit has no state.");
    return rate;
  }

  /**
   * As `take`, for limits that one counter keeps. Those that need a lease are leased in one call.
   *
   * @param later limits that the request will take later. A call to their counter leases them too,
   * without counting the request.
   */
  async function takeTogether(
    limits: readonly Limit[],
    source: LeaseSource,
    later: readonly Limit[] = [],
  ): Promise<readonly RateState[]> {
    const counted = limits.map((limit): CountedLimit => {
      const state = stateOf(limit);
      const endsAt = windowEnd(source.now(), limit.windowMs);
      countSeenRequest(state, endsAt, limit.windowMs);
      return { limit, state, endsAt };
    });
    const rates = new Map<CountedLimit, RateState>();
    for (;;) {
      const missing = counted.filter((entry) => {
        const rate = rates.get(entry) ?? takeFromLease(entry.state, entry.endsAt);
        if (rate !== null) rates.set(entry, rate);
        return rate === null && !hasFailedRecently(entry.state, source.now());
      });
      if (missing.length === 0) break;
      await requestLeases([...missing, ...leasedAlong(missing, later, source)], source);
    }
    return counted.map((entry) => {
      entry.state.decidedRequests += 1;
      return rates.get(entry) ?? admittedState(entry);
    });
  }

  /** The later limits of the same counter of which this isolate holds no lease, nor waits for one. */
  function leasedAlong(
    missing: readonly CountedLimit[],
    later: readonly Limit[],
    { now }: LeaseSource,
  ): CountedLimit[] {
    const counters = new Set(missing.map(({ limit }) => counterNameOf(limit)));
    return later
      .filter((limit) => counters.has(counterNameOf(limit)))
      .map((limit): CountedLimit => {
        const [state, endsAt] = [stateOf(limit), windowEnd(now(), limit.windowMs)];
        beginWindow(state, endsAt, limit.windowMs);
        return { limit, state, endsAt };
      })
      .filter(({ state, endsAt }) => !state.windows.has(endsAt) && state.pendingLease === null);
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
   * Waits for a pending lease, or requests a new one. After a failure all requests are admitted for
   * `failurePauseMs`.
   */
  async function requestLeases(
    counted: readonly CountedLimit[],
    source: LeaseSource,
  ): Promise<void> {
    for (const { state } of counted) {
      if (state.pendingLease !== null && (await waitForPendingLease(state, state.pendingLease)))
        return;
    }
    const lease = {};
    for (const { state } of counted) state.pendingLease = lease;
    source.onRoundTrip();
    try {
      await callCounter(counted, source);
    } catch (error) {
      const [first] = counted;
      if (first && !hasFailedRecently(first.state, source.now()))
        source.onFailure(first.limit, error);
      for (const { state } of counted) state.failedAt = source.now();
    } finally {
      for (const { state } of counted) {
        if (state.pendingLease === lease) state.pendingLease = null;
      }
    }
  }

  async function callCounter(
    counted: readonly CountedLimit[],
    { counters, now }: LeaseSource,
  ): Promise<void> {
    const requests = counted.map(
      ({ limit, state, endsAt }): LeaseRequest => ({
        ...(limit.counter && { part: limit.counter.part }),
        limit: limit.limit,
        windowMs: limit.windowMs,
        windows: windowRequestsFor(state, limit, { endsAt, now: now() }),
      }),
    );
    const grants = await withTimeout(timeoutMs, counters.lease(counterOf(counted), ...requests));
    const windowCount = requests.reduce((sum, { windows }) => sum + windows.length, 0);
    if (grants.length !== windowCount) throw new Error("The counter left out windows");
    let start = 0;
    for (const [index, { state }] of counted.entries()) {
      const windows = requests[index]?.windows ?? [];
      addLease(state, windows, grants.slice(start, start + windows.length));
      start += windows.length;
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

  return { take, takeTogether, exhaustedState };
}

const counterNameOf = ({ counter, name }: Limit): string => counter?.name ?? name;

/** The name of the limits' counter. */
function counterOf(counted: readonly CountedLimit[]): string {
  const [name, ...others] = new Set(counted.map(({ limit }) => counterNameOf(limit)));
  if (name === undefined || others.length > 0) throw new Error("Limits have different counters.");
  return name;
}

const admittedState = ({ state: { limit }, endsAt }: CountedLimit): RateState => ({
  limit,
  remaining: limit - 1,
  resetAt: endsAt,
  isExceeded: false,
});

/** Compares the absolute difference, because the clock may have been set back. */
const hasFailedRecently = ({ failedAt }: LimitState, now: number): boolean =>
  Math.abs(now - failedAt) < failurePauseMs;

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
