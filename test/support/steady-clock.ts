import { vi } from "vitest";

/** The platform's, whatever stands in its place. */
const platform = Date.prototype.constructor as DateConstructor; // safe: it is what every date names

let now = 0;
let readAt = 0;

/** As the platform's clock, but that a pause of the machine is a millisecond. */
function read(): number {
  const real = vi.getRealSystemTime();
  if (real !== readAt) now += 1;
  readAt = real;
  return now;
}

/**
 * Sets the clock by the real one, and lets it go on from there by a millisecond at most between two
 * readings: what is remembered for seconds, and what counts by seconds, is the same on a busy machine.
 */
export function steadyClock(): void {
  readAt = vi.getRealSystemTime();
  now = readAt;
  globalThis.Date = new Proxy(platform, {
    construct: (date, given, asked) =>
      Reflect.construct(date, given.length === 0 ? [read()] : given, asked),
    get: (date, name) => (name === "now" ? read : Reflect.get(date, name)),
  });
}
