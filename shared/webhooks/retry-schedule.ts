import { hour, minute } from "../kernel/index.ts";

/** The times of the retries after the first attempt (docs/contract/events.md#webhook-retries). */
const retryOffsetsMs: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  hour,
  6 * hour,
  24 * hour,
];

/** The first attempt and its retries, without those that a merchant requests. */
export const maxDeliveryAttempts = 1 + retryOffsetsMs.length;

/** Late retries are at least this far apart. */
const minRetryGapMs = minute;

export type FailedAttempts = Readonly<{ count: number; firstAt: number; lastAt: number }>;

/** The time of the next attempt, in epoch ms; null when no retries are left. */
export function nextAttemptAt({ count, firstAt, lastAt }: FailedAttempts): number | null {
  const offset = retryOffsetsMs[count - 1];
  return offset === undefined ? null : Math.max(firstAt + offset, lastAt + minRetryGapMs);
}
