import { Refusal } from "../kernel/index.ts";

/**
 * Each lost attempt means that another change of the same record succeeded, so five in a row are
 * lost only under constant contention. The caller then reads the conflict and may retry.
 */
const maxAttempts = 5;

/**
 * Runs a read-decide-commit cycle again when a concurrent change made its commit fail. A failed
 * commit wrote nothing.
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
