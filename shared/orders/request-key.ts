import { conflict, day } from "../kernel/index.ts";

/** What a request under an Idempotency-Key left behind; null for one without. */
export type LeftByRequest = Readonly<{ requestKey: string | null; createdAt: number }>;

/** So long a repeat is known (completions.md 6); after that its key is free again. */
export const keptForMs = day;

/**
 * By what a request is known when it comes again.
 *
 * @param slot a digest of who asks, where, and under which Idempotency-Key.
 * @param fingerprint a digest of what is asked.
 */
export const requestKey = (slot: string, fingerprint: string): string => `${slot}.${fingerprint}`;

const slotOf = (key: string): string | undefined => key.split(".", 1)[0];

/**
 * What an earlier run of the same request left.
 *
 * @throws Refusal CONFLICT when its key asked for something else there.
 */
export function findRepeated<T extends LeftByRequest>(
  left: readonly T[],
  { requestKey, now }: Readonly<{ requestKey: string | null; now: number }>,
): T | undefined {
  if (requestKey === null) return undefined;
  const earlier = left.findLast(
    (one) =>
      one.requestKey !== null &&
      slotOf(one.requestKey) === slotOf(requestKey) &&
      now - one.createdAt < keptForMs,
  );
  if (earlier && earlier.requestKey !== requestKey) {
    throw conflict("This Idempotency-Key came with another body before.");
  }
  return earlier;
}
