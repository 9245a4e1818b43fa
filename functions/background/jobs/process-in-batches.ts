import { second } from "../../../shared/kernel/index.ts";
import type { BackgroundContext } from "../context.ts";

/** A run stops starting batches after this time, so that it ends before the next minute's run. */
const maxRunMs = 45 * second;

/**
 * Claims and processes due records batch by batch, until none is left, the run's limit is reached
 * or its time is up. `claim` must postpone what it returns, so that a failed record is not claimed
 * again by the same run.
 *
 * @param maxPerRun keeps the run within the queries that D1 allows an invocation.
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
