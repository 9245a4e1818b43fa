import { minute } from "../kernel/index.ts";

/**
 * So many events in a row that used up their retries disable a subscription
 * (docs/contract/events.md#webhook-disabled).
 */
export const disableAfterFailedEvents = 20;

/** Deliveries of one receiver claimed at a time; a receiver whose last attempt failed gets one. */
export const maxClaimsPerReceiver = 10;

/**
 * The circuit breaker of a receiver. After so many failed attempts in a row its first attempts are
 * held back; retries still come at their times. A delivered event closes it.
 */
export const receiverBreaker = {
  opensAfter: 5,
  shortestHoldMs: minute,
  longestHoldMs: 10 * minute,
} as const;

/** How long first attempts are held back after so many failed attempts in a row, in ms. */
export function breakerHoldMs(failedAttempts: number): number {
  const doublings = failedAttempts - receiverBreaker.opensAfter;
  if (doublings < 0) return 0;
  return Math.min(receiverBreaker.shortestHoldMs * 2 ** doublings, receiverBreaker.longestHoldMs);
}
