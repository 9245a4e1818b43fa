import { hour, minute, second } from "../../kernel/index.ts";

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

/** The wait after each attempt of a message that expires soon; the last one repeats. */
const shortWaitsMs: readonly number[] = [4 * second, 8 * second, 16 * second, 32 * second, minute];
const shortLifeMs = 10 * minute;

type FailedAttempts = Readonly<{
  count: number;
  firstAt: number;
  now: number;
  /** When sending it has no use any more; null for never. */
  expiresAt: number | null;
  /** How long the provider asked to wait; null when it did not. */
  retryAfterMs: number | null;
}>;

/** The time of the next attempt, in epoch milliseconds; null when none is left. */
export function nextAttemptAt(failed: FailedAttempts): number | null {
  const { expiresAt, firstAt, now, retryAfterMs } = failed;
  if (expiresAt === null) return scheduledAttempt(failed);
  const shortWait = shortWaitsMs[Math.min(failed.count, shortWaitsMs.length) - 1] ?? 0;
  const next =
    expiresAt - firstAt > shortLifeMs
      ? scheduledAttempt(failed)
      : now + Math.max(shortWait, retryAfterMs ?? 0);
  return next !== null && next < expiresAt ? next : null;
}

function scheduledAttempt({ count, firstAt, now, retryAfterMs }: FailedAttempts): number | null {
  const offset = retryOffsetsMs[count - 1];
  return offset === undefined ? null : Math.max(firstAt + offset, now + (retryAfterMs ?? minute));
}
