import { second } from "../kernel/index.ts";

const framesPerSecond = 10;

/**
 * Counts a frame in: the times of the latest ones, or null when it is more than 10 within a second
 * (completions.md 10). Any second counts, not the clock's.
 */
export function withFrame(times: readonly number[], now: number): readonly number[] | null {
  const recent = times.filter((at) => now - at < second && at <= now);
  return recent.length < framesPerSecond ? [...recent, now] : null;
}
