import { type Limit, type RateState, windowEnd } from "./lease-holder.ts";

type Window = { endsAt: number; used: number };

/**
 * What an isolate counts for itself, of requests that ask nothing of anybody else: a counter of all
 * isolates would cost more than they do. At most `maxHeld` limits are remembered: those used last.
 */
export function ownCount({ maxHeld = 10_000 } = {}) {
  const windows = new Map<string, Window>();

  /** Uses up one request of the limit, if there is room. */
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
