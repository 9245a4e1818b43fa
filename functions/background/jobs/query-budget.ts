import type { Background } from "../context.ts";

/**
 * One run's jobs share what D1 answers one invocation: 1,000 queries, a batch's statements each counted.
 * So many of each kind, at their `queriesFor` at most, leave room for the sweeps and purges of the
 * shards. What one run leaves, the next one takes up.
 */
export const ordersPerRun = 24;
export const refundsPerRun = 12;
export const intentsPerRun = 8;

/** What one costs at most: read, changed by the provider's word, and ended; a refund also after a conflict. */
export const queriesFor = { order: 24, refund: 16, intent: 22 } as const;

/** Each shard's part of it, and one at least. */
export const perShard = ({ shards }: Pick<Background, "shards">, perRun: number): number =>
  Math.max(1, Math.floor(perRun / Object.keys(shards).length));
