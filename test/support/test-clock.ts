import { vi } from "vitest";

/** The platform's Date, also while the global Date is replaced. */
const PlatformDate = Date.prototype.constructor as DateConstructor; // safe: every date names it

let now = 0;
let lastRealTime = 0;

/** The time in epoch milliseconds, one later than at the previous reading if real time has passed. */
function readClock(): number {
  const real = vi.getRealSystemTime();
  if (real !== lastRealTime) now += 1;
  lastRealTime = real;
  return now;
}

/**
 * Replaces Date with a clock that starts at the real time and advances by at most a millisecond
 * between two readings, so that caches and limits of some seconds do not expire on a busy machine.
 */
export function installTestClock(): void {
  lastRealTime = vi.getRealSystemTime();
  now = lastRealTime;
  globalThis.Date = new Proxy(PlatformDate, {
    construct: (date, args, newTarget) =>
      Reflect.construct(date, args.length === 0 ? [readClock()] : args, newTarget),
    get: (date, name) => (name === "now" ? readClock : Reflect.get(date, name)),
  });
}
