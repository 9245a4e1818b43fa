import type { BackgroundContext } from "../context.ts";

/**
 * The jobs of one invocation share the 1,000 queries that D1 allows it; each statement of a batch
 * counts. These limits, at `maxQueries` each, leave room for jobs that find nothing to do.
 */
export const ordersPerRun = 24;
export const refundsPerRun = 12;
export const orderIntentsPerRun = 8;

/** Housekeeping runs in an invocation of its own. */
export const filesPerRun = 160;
export const erasuresPerRun = 20;

/** Few enough that one consumer processes a minute's renewals within their lease. */
export const renewalsPerRun = 240;
/** Few enough that a slow provider responds for all of them within their lease. */
export const renewalsPerMessage = 6;

/**
 * The most queries that one record needs. Orders are read, reconciled with the provider and
 * cancelled; refunds may repeat after a conflict; renewals are placed, charged and recorded.
 */
export const maxQueries = { order: 24, refund: 16, intent: 22, renewal: 50 } as const;

/** A run's limit divided by the number of shards, but at least one. */
export const maxPerShard = (
  { shards }: Pick<BackgroundContext, "shards">,
  limitPerRun: number,
): number => Math.max(1, Math.floor(limitPerRun / Object.keys(shards).length));
