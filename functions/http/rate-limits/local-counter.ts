import { type Limit, type RateState, windowEnd } from "./lease-holder.ts";

type CountedWindow = { endsAt: number; used: number };

/**
 * Counts requests within one isolate, for calls so cheap that a shared counter would cost more.
 * Remembers at most `maxHeld` limits: the latest used.
 */
export function createLocalCounter({ maxHeld = 10_000 } = {}) {
  const windows = new Map<string, CountedWindow>();

  /** Uses one request of the limit, if there is room. */
  return ({ name, limit, windowMs }: Limit, now: number): RateState => {
    const endsAt = windowEnd(now, windowMs);
    const known = windows.get(name);
    const window = known?.endsAt === endsAt ? known : { endsAt, used: 0 };
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
