import { second } from "../../../shared/kernel/index.ts";
import type { Background } from "../context.ts";

/** A run ends before the next begins, unless a single batch takes longer. */
const longestRunMs = 45 * second;

/**
 * Works off what is due, a batch at a time, until nothing is left, a run's share is done or the minute is
 * nearly over; the next run goes on. What could not be done must not be found again by the same run:
 * `find` puts it off.
 *
 * @param most how many one run may take up: what they cost has to fit what one invocation may ask D1.
 */
export async function inBatches<T>(
  { chance }: Pick<Background, "chance">,
  {
    size,
    most,
    find,
    work,
  }: Readonly<{
    size: number;
    most: number;
    find: (range: { now: number; limit: number }) => Promise<readonly T[]>;
    work: (batch: readonly T[]) => Promise<void>;
  }>,
): Promise<void> {
  const startedAt = chance.now();
  for (let left = most; left > 0; left -= size) {
    const limit = Math.min(size, left);
    const due = await find({ now: chance.now(), limit });
    if (due.length > 0) await work(due);
    if (due.length < limit || chance.now() - startedAt > longestRunMs) return;
  }
}
