import { z } from "@hono/zod-openapi";

const Due = z.object({ id: z.string(), businessId: z.string() });

/**
 * What cron leaves to an invocation of its own, by the queue `duka-work`: there each piece has for itself
 * what D1 answers an invocation. None of it depends on its message: what was not done is due again.
 */
export const Work = z.discriminatedUnion("type", [
  z.object({ type: z.literal("housekeeping") }),
  /** Subscriptions that cron took up, which nobody else looks after for the time of their lease. */
  z.object({ type: z.literal("renewals"), due: z.array(Due) }),
]);
export type Work = z.infer<typeof Work>;
