import { Refusal } from "../kernel/index.ts";

/**
 * The maximum number of attempts. An attempt fails only when another change of the record succeeds,
 * so five failures in a row need constant contention. The caller then gets the conflict and may
 * retry.
 */
const maxAttempts = 5;

/**
 * Runs `attempt` again when its commit failed because of a concurrent change. A failed commit has
 * written nothing.
 *
 * @param attempt reads the current state, decides and commits; its argument counts from 1.
 * @throws Refusal the retryable CONFLICT of the last attempt.
 */
export async function retryOnConflict<T>(attempt: (number: number) => Promise<T>): Promise<T> {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(number);
    } catch (error) {
      if (number === maxAttempts || !isRetryableConflict(error)) throw error;
    }
  }
}

const isRetryableConflict = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "CONFLICT" && error.retryable === true;
