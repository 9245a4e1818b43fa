import { type Limit, type RateState, windowEnd } from "./limit-state.ts";

type CountedWindow = { endsAt: number; used: number };

/**
 * Counts requests within one isolate, for calls that are cheaper than a call of a shared counter.
 * Keeps the `maxHeld` limits that were used last.
 */
export function createLocalCounter({ maxHeld = 10_000 } = {}) {
  const windows = new Map<string, CountedWindow>();

  /** Counts a request unless the limit is exhausted, and returns the state of the limit. */
  return ({ name, limit, windowMs }: Limit, now: number): RateState => {
    const endsAt = windowEnd(now, windowMs);
    const existing = windows.get(name);
    const window = existing?.endsAt === endsAt ? existing : { endsAt, used: 0 };
    windows.delete(name);
    windows.set(name, window);
    if (windows.size > maxHeld) {
      const oldest = windows.keys().next();
      if (!oldest.done) windows.delete(oldest.value);
    }
    const isExceeded = window.used >= limit;
    if (!isExceeded) window.used += 1;
    return { limit, remaining: limit - window.used, resetAt: endsAt, isExceeded };
  };
}
