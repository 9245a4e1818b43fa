import { z } from "@hono/zod-openapi";

const DueSubscription = z.object({ id: z.string(), businessId: z.string() });

/**
 * Work that cron passes to an invocation of its own through the queue `duka-work`, so that each job
 * has a D1 query limit of its own. A lost message loses nothing: the work is due again later.
 */
export const QueuedJob = z.discriminatedUnion("type", [
  z.object({ type: z.literal("housekeeping") }),
  /** Subscriptions that cron has claimed under a lease. */
  z.object({ type: z.literal("renewals"), due: z.array(DueSubscription) }),
]);
export type QueuedJob = z.infer<typeof QueuedJob>;
