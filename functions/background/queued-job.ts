import { z } from "@hono/zod-openapi";

/**
 * A run of a job that cron or an earlier run sends to the queue `duka-work`, so that it has an
 * invocation with its own D1 query limit. Losing a message costs at most a minute, and a message
 * that arrives twice finds the lease of the first one or nothing to do.
 */
export const QueuedJob = z.object({
  job: z.string(),
  /** The shard whose records the run processes; null for a job on CORE. */
  shard: z.string().nullable(),
  /** Counts the chains of runs of this job that work on the same database, from 0. */
  chain: z.number().int().min(0),
});
export type QueuedJob = z.infer<typeof QueuedJob>;
