import { second } from "../../../shared/kernel/index.ts";
import type { BackgroundContext } from "../context.ts";

/** No batch starts after this time, so that a run ends before the next minute's run begins. */
const maxRunMs = 45 * second;

/**
 * Claims and processes due records batch by batch. Stops when no record is due, when `maxPerRun` is
 * reached, or after `maxRunMs`. `claim` must postpone the records that it returns: otherwise the
 * same run would claim a failed record again.
 *
 * @param maxPerRun keeps the run within the number of queries that D1 allows an invocation.
 */
export async function processInBatches<T>(
  { runtime }: Pick<BackgroundContext, "runtime">,
  {
    batchSize,
    maxPerRun,
    claim,
    process,
  }: Readonly<{
    batchSize: number;
    maxPerRun: number;
    claim: (range: { now: number; limit: number }) => Promise<readonly T[]>;
    process: (batch: readonly T[]) => Promise<void>;
  }>,
): Promise<void> {
  const startedAt = runtime.now();
  for (let remaining = maxPerRun; remaining > 0; remaining -= batchSize) {
    const limit = Math.min(batchSize, remaining);
    const due = await claim({ now: runtime.now(), limit });
    if (due.length > 0) await process(due);
    if (due.length < limit || runtime.now() - startedAt > maxRunMs) return;
  }
}
