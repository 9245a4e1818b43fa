import type { Ask, Counters, Lease } from "./counters.ts";

/** How many requests of a name pass in a window; `name` says whose requests it counts. */
export type Limit = Readonly<{ name: string; limit: number; windowMs: number }>;

/** How a limit stands after this request; the nearest to exhaustion is shown. */
export type RateState = Readonly<{
  limit: number;
  remaining: number;
  resetAt: number;
  isExceeded: boolean;
}>;

/** Where a request's leases come from, and who hears of it. */
export type Source = Readonly<{
  counters: Counters;
  now: () => number;
  /** A round trip for a lease begins. */
  onHop: () => void;
  /** The counter of the limit did not answer: traffic passes. */
  onFailure: (limit: Limit, error: unknown) => void;
}>;

type Window = { left: number; taken: number };

type Held = {
  limit: number;
  windows: Map<number, Window>;
  /** Requests seen here in the window that ends at `countedUntil`, and what is usual in one. */
  seen: number;
  /** Those of them that were let through or refused. */
  decided: number;
  countedUntil: number;
  pace: number;
  /** The lease that is under way. */
  asking: object | null;
  failedAt: number;
};

const pauseMs = 1_000;
/** One lease shall serve so many requests, also where a window sees few. */
const perLease = 20;
const aheadMs = 20_000;
/** How long a counter is waited for. */
export const leaseTimeoutMs = 1_000;
/** How long a request looks for another's lease before it asks for its own. */
const patienceMs = 100;
const stepMs = 2;

/**
 * What an isolate may let through by itself. It asks a counter for leases of many requests, and
 * remembers them for at most `maxHeld` limits: those used last. What is forgotten stays taken, so
 * that forgetting admits nobody. Requests at once that find no lease look whether one of them
 * brings it: they do not share its promise, which dies with the request that made it.
 */
export function leaseHolder({ maxHeld = 10_000, timeoutMs = leaseTimeoutMs } = {}) {
  const all = new Map<string, Held>();

  /** Uses up one request of the limit, if there is room. A counter that does not answer lets all pass. */
  async function take(limit: Limit, source: Source): Promise<RateState> {
    const held = heldOf(limit);
    const endsAt = windowEnd(source.now(), limit.windowMs);
    see(held, endsAt, limit.windowMs);
    let state = used(held, endsAt);
    while (!state && !isOpen(held, source.now())) {
      await leased(held, { limit, source, endsAt });
      state = used(held, endsAt);
    }
    held.decided += 1;
    return state ?? passed(held, endsAt);
  }

  function heldOf({ name, limit }: Limit): Held {
    const known = all.get(name);
    const held = known?.limit === limit ? known : newHeld(limit);
    all.delete(name);
    all.set(name, held);
    if (all.size > maxHeld) {
      const oldest = all.keys().next();
      if (!oldest.done) all.delete(oldest.value);
    }
    return held;
  }

  /** Waits for the lease under way, or asks for one; a failure opens the limit for a while. */
  async function leased(
    held: Held,
    { limit, source, endsAt }: { limit: Limit; source: Source; endsAt: number },
  ): Promise<void> {
    if (held.asking !== null && (await isOver(held, held.asking))) return;
    const own = {};
    held.asking = own;
    source.onHop();
    try {
      const asks = asksOf(held, limit, endsAt);
      const request = { limit: limit.limit, windowMs: limit.windowMs, asks };
      keep(held, await within(timeoutMs, source.counters.lease(limit.name, request)));
    } catch (error) {
      if (!isOpen(held, source.now())) source.onFailure(limit, error);
      held.failedAt = source.now();
    } finally {
      if (held.asking === own) held.asking = null;
    }
  }

  /** How a limit stands that is known here to be used up; null for any other. Nothing is asked or counted. */
  function usedUp({ name, limit, windowMs }: Limit, now: number): RateState | null {
    const held = all.get(name);
    const endsAt = windowEnd(now, windowMs);
    const window = held?.limit === limit ? held.windows.get(endsAt) : undefined;
    if (!window || window.left > 0 || window.taken < limit) return null;
    return { limit, remaining: 0, resetAt: endsAt, isExceeded: true };
  }

  return { take, usedUp };
}

const newHeld = (limit: number): Held => {
  return {
    limit,
    windows: new Map(),
    seen: 0,
    decided: 0,
    countedUntil: 0,
    pace: 0,
    asking: null,
    failedAt: Number.NEGATIVE_INFINITY,
  };
};

/** One request less of the window; null where a lease must say whether there is room. */
function used({ windows, limit }: Held, endsAt: number): RateState | null {
  const window = windows.get(endsAt);
  if (!window) return null;
  if (window.left > 0) {
    window.left -= 1;
    const remaining = limit - window.taken + window.left;
    return { limit, remaining, resetAt: endsAt, isExceeded: false };
  }
  return window.taken < limit ? null : { limit, remaining: 0, resetAt: endsAt, isExceeded: true };
}

const passed = ({ limit }: Held, endsAt: number): RateState => {
  return { limit, remaining: limit - 1, resetAt: endsAt, isExceeded: false };
};

/** The end of the window that a moment falls into. */
export const windowEnd = (now: number, windowMs: number): number =>
  now - (now % windowMs) + windowMs;

/** A clock may go back: what lies ahead of it is no recent failure either. */
const isOpen = ({ failedAt }: Held, now: number): boolean => Math.abs(now - failedAt) < pauseMs;

/** Counts a request; with the first of a new window, the one before says what is usual. */
function see(held: Held, endsAt: number, windowMs: number): void {
  if (endsAt !== held.countedUntil) {
    const isRecent = Math.abs(endsAt - held.countedUntil) <= Math.max(aheadMs, windowMs);
    held.pace = isRecent ? Math.max(held.seen, Math.floor(held.pace / 2)) : 0;
    held.seen = 0;
    held.decided = 0;
    held.countedUntil = endsAt;
    for (const end of held.windows.keys()) if (end < endsAt - windowMs) held.windows.delete(end);
  }
  held.seen += 1;
}

/** Whether another request's asking comes to an end; whoever asks may be gone, so that patience is short. */
async function isOver(held: Held, asking: object): Promise<boolean> {
  for (let waited = 0; waited < patienceMs; waited += stepMs) {
    await new Promise((resolve) => setTimeout(resolve, stepMs));
    if (held.asking !== asking) return true;
  }
  return false;
}

function asksOf(held: Held, limit: Limit, endsAt: number): Ask[] {
  const { seen, decided, pace } = held;
  const usual = Math.max(Math.ceil(limit.limit / 20), decided, pace);
  const fair = Math.min(usual, Math.ceil(limit.limit / 2)); // other isolates want some too
  return [{ endsAt, wanted: Math.max(fair, seen - decided) }, ...asksAhead(held, limit, endsAt)];
}

/** Where windows see few requests, a lease of one alone would be a hop for each few: it takes of later ones too. */
function asksAhead({ windows, pace }: Held, { limit, windowMs }: Limit, endsAt: number): Ask[] {
  if (pace === 0 || limit < perLease || 2 * pace > limit) return [];
  const count = Math.min(Math.ceil(perLease / pace), Math.floor(aheadMs / windowMs)) - 1;
  const each = Math.ceil(1.25 * pace);
  return Array.from({ length: Math.max(count, 0) }, (_, at) => {
    const later = endsAt + (at + 1) * windowMs;
    return { endsAt: later, wanted: each - (windows.get(later)?.left ?? 0) };
  }).filter(({ wanted }) => wanted > 0);
}

function keep({ windows }: Held, lease: Lease): void {
  for (const { endsAt, granted, taken } of lease) {
    const known = windows.get(endsAt) ?? { left: 0, taken: 0 };
    windows.set(endsAt, { left: known.left + granted, taken: Math.max(known.taken, taken) });
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
