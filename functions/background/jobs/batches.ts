import { second } from "../../../shared/kernel/index.ts";
import type { BackgroundContext } from "../context.ts";

/**
 * D1 allows an invocation 1,000 queries, and counts every statement of a batch. The limits times
 * their `maxQueries` add up to less, because all jobs of the invocation share those queries.
 */
export const ordersPerRun = 24;
export const refundsPerRun = 12;
export const orderIntentsPerRun = 8;

/** Housekeeping has an invocation of its own, so these limits do not reduce the ones above. */
export const filesPerRun = 160;
export const erasuresPerRun = 20;
export const unassignedOrdersPerRun = 32;
/** Steps of erasing a closed business. */
export const erasureStepsPerRun = 8;

/** So few that one consumer processes a minute's renewals before their leases expire. */
export const renewalsPerRun = 240;
/** So few that even a slow payment provider responds to all of them before their leases expire. */
export const renewalsPerMessage = 6;

/**
 * The most queries for one record. An order is read, reconciled with the provider and cancelled. A
 * refund may repeat after a conflict. A renewal is placed, charged and recorded.
 */
export const maxQueries = {
  order: 24,
  refund: 16,
  intent: 23,
  renewal: 50,
  unassignedOrder: 17,
  erasureStep: 22,
} as const;

/** The share of one shard in a run's limit, at least one record. */
export const maxPerShard = (
  { shards }: Pick<BackgroundContext, "shards">,
  limitPerRun: number,
): number => Math.max(1, Math.floor(limitPerRun / Object.keys(shards).length));

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
