import { hour, minute } from "../kernel/index.ts";

/** When the retries come, counted from the first attempt (completions.md 14). */
const retryOffsetsMs: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  hour,
  6 * hour,
  24 * hour,
];

/** The first attempt and its retries; what a merchant asks for by hand comes on top. */
export const maxAttempts = 1 + retryOffsetsMs.length;

/** Retries that we are late with come no closer together than this. */
const leastGapMs = minute;

export type AttemptsMade = Readonly<{ count: number; firstAt: number; lastAt: number }>;

/** When to try again after so many failed attempts, in epoch ms; null when the retries are used up. */
export function nextAttemptAt({ count, firstAt, lastAt }: AttemptsMade): number | null {
  const offset = retryOffsetsMs[count - 1];
  return offset === undefined ? null : Math.max(firstAt + offset, lastAt + leastGapMs);
}
