import { minute } from "../kernel/index.ts";

/**
 * A webhook subscription is disabled after this many events in a row for which all retries failed
 * (docs/contract/events.md#webhook-disabled).
 */
export const disableAfterFailedEvents = 20;

/** How many deliveries of one receiver are claimed at a time. A failing receiver gets only one. */
export const maxClaimsPerReceiver = 10;

/**
 * Among how many of a receiver's oldest first attempts a claim looks for those that come next for
 * their subjects. More would read more rows, fewer would find too few subjects in a backlog.
 */
export const oldestFirstAttempts = 40;

/**
 * The circuit breaker of a receiver. It opens after this many failed attempts in a row and then
 * holds back first attempts, but not retries. A successful delivery closes it.
 */
export const receiverBreaker = {
  opensAfter: 5,
  shortestHoldMs: minute,
  longestHoldMs: 10 * minute,
} as const;

/** How long (in ms) first attempts are held back after this many failed attempts in a row. */
export function breakerHoldMs(failedAttempts: number): number {
  const doublings = failedAttempts - receiverBreaker.opensAfter;
  if (doublings < 0) return 0;
  return Math.min(receiverBreaker.shortestHoldMs * 2 ** doublings, receiverBreaker.longestHoldMs);
}
