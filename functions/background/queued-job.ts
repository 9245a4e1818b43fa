import { z } from "@hono/zod-openapi";

const DueSubscription = z.object({ id: z.string(), businessId: z.string() });

/**
 * Work that cron sends to the queue `duka-work`, so that each job has an invocation with its own D1
 * query limit. Losing a message is harmless, because the same work becomes due again later.
 */
export const QueuedJob = z.discriminatedUnion("type", [
  z.object({ type: z.literal("housekeeping") }),
  /** Subscriptions that cron has claimed under a lease. */
  z.object({ type: z.literal("renewals"), due: z.array(DueSubscription) }),
]);
export type QueuedJob = z.infer<typeof QueuedJob>;
