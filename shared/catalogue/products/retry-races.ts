import { Refusal } from "../../kernel/index.ts";

const attempts = 4;

/**
 * Runs a read-decide-commit again when its commit met a concurrent one: a constraint refused it
 * whole, so that nothing of it is there.
 *
 * @throws Refusal the last retryable CONFLICT, when it loses every time.
 */
export async function retryRaces<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries === attempts || !isLostRace(error)) throw error;
    }
  }
}

const isLostRace = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "CONFLICT" && error.retryable === true;
