import { hour, minute } from "../kernel/index.ts";

/**
 * When retries happen, counted from the first attempt (docs/contract/events.md#webhook-retries).
 */
const retryOffsetsMs: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  hour,
  6 * hour,
  24 * hour,
];

/**
 * How many attempts the schedule has, the first one included. Retries that a merchant requests are
 * additional.
 */
export const maxDeliveryAttempts = 1 + retryOffsetsMs.length;

/** The shortest time between two attempts. It matters when an attempt was made late. */
const minRetryGapMs = minute;

export type FailedAttempts = Readonly<{ count: number; firstAt: number; lastAt: number }>;

/** The time of the next attempt, in epoch ms; null when no retries are left. */
export function nextAttemptAt({ count, firstAt, lastAt }: FailedAttempts): number | null {
  const offset = retryOffsetsMs[count - 1];
  return offset === undefined ? null : Math.max(firstAt + offset, lastAt + minRetryGapMs);
}
