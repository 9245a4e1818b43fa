import { hour, minute } from "../../kernel/index.ts";

/** When attempts happen, counted from the first one (docs/contract/messages.md#retries). */
export const retryOffsetsMs: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  45 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  16 * hour,
  24 * hour,
];

export const maxAttempts = retryOffsetsMs.length + 1;

type FailedAttempts = Readonly<{
  count: number;
  firstAt: number;
  now: number;
  /** How long the provider asked to wait; null when it did not. */
  retryAfterMs: number | null;
}>;

/** The time of the next attempt, in epoch milliseconds; null when none is left. */
export function nextAttemptAt({
  count,
  firstAt,
  now,
  retryAfterMs,
}: FailedAttempts): number | null {
  const offset = retryOffsetsMs[count - 1];
  return offset === undefined ? null : Math.max(firstAt + offset, now + (retryAfterMs ?? minute));
}
