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
export const unassignedOrdersPerRun = 8;
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
  intent: 22,
  renewal: 50,
  unassignedOrder: 16,
  erasureStep: 22,
} as const;

/** The share of one shard in a run's limit, at least one record. */
export const maxPerShard = (
  { shards }: Pick<BackgroundContext, "shards">,
  limitPerRun: number,
): number => Math.max(1, Math.floor(limitPerRun / Object.keys(shards).length));
