import { conflict, day } from "../kernel/index.ts";

/** A row with the key of the request that created it; null without an Idempotency-Key. */
export type KeyedRequest = Readonly<{ requestKey: string | null; createdAt: number }>;

/** How long a repeated request is recognised. After that its Idempotency-Key may be used again. */
export const requestKeyTtlMs = day;

/**
 * The key of a request, made of two digests.
 *
 * @param slot a digest of caller, path and Idempotency-Key.
 * @param fingerprint a digest of the request's content.
 */
export const toRequestKey = (slot: string, fingerprint: string): string => `${slot}.${fingerprint}`;

const slotOf = (key: string): string | undefined => key.split(".", 1)[0];

/**
 * Finds the row that an earlier call with the same request created.
 *
 * @throws Refusal CONFLICT when the Idempotency-Key was used for another request.
 */
export function findEarlierRequest<T extends KeyedRequest>(
  requests: readonly T[],
  { requestKey, now }: Readonly<{ requestKey: string | null; now: number }>,
): T | undefined {
  if (requestKey === null) return undefined;
  const earlier = requests.findLast(
    (request) =>
      request.requestKey !== null &&
      slotOf(request.requestKey) === slotOf(requestKey) &&
      now - request.createdAt < requestKeyTtlMs,
  );
  if (earlier && earlier.requestKey !== requestKey) {
    throw conflict("This Idempotency-Key came with another body before.");
  }
  return earlier;
}
