import type { Background } from "../context.ts";

/**
 * The jobs of one invocation share what D1 answers it: 1,000 queries, a batch's statements each counted.
 * So many of each kind, at their `queriesFor` at most, leave room for what the jobs ask that find
 * nothing. What one run leaves, the next one takes up.
 */
export const ordersPerRun = 24;
export const refundsPerRun = 12;
export const intentsPerRun = 8;

/** Of housekeeping, which has an invocation of its own. */
export const filesPerRun = 160;
export const erasuresPerRun = 20;

/** So many are taken up each minute that a single consumer gets through them within their lease. */
export const renewalsPerRun = 240;
/** So few that a slow provider answers for all of them within their lease. */
export const renewalsPerMessage = 6;

/** What one costs at most: read, changed by the provider's word, and ended; a refund also after a conflict; a renewal: read, placed, charged and recorded. */
export const queriesFor = { order: 24, refund: 16, intent: 22, renewal: 50 } as const;

/** Each shard's part of it, and one at least. */
export const perShard = ({ shards }: Pick<Background, "shards">, perRun: number): number =>
  Math.max(1, Math.floor(perRun / Object.keys(shards).length));
