import { minute } from "../kernel/index.ts";

/** A receiver's share of what is claimed at once; one whose last attempt failed is tried with one. */
export const claimsOfReceiver = 10;

/**
 * The breaker of a receiver. It opens after so many failed attempts in a row, and then the receiver
 * gets no first attempts for a while: what it has been sent before is retried at its times all the
 * same, and each of those tries tells whether it is back. Anything delivered closes it.
 */
export const breaker = {
  opensAfter: 5,
  shortestHoldMs: minute,
  longestHoldMs: 10 * minute,
} as const;

/** For how long a receiver gets no first attempts after so many failed attempts in a row; 0 when it still does. */
export function holdMs(failedAttempts: number): number {
  const beyond = failedAttempts - breaker.opensAfter;
  return beyond < 0 ? 0 : Math.min(breaker.shortestHoldMs * 2 ** beyond, breaker.longestHoldMs);
}
