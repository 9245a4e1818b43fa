import { queueSubscriptionMessages } from "../../../shared/messages/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, repeatBatch } from "../runs/batches.ts";

const subscriptionsPerBatch = 500;

/** Queues messages about failed renewals and subscriptions that end soon. */
export function announceSubscriptions(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const db = background.dbOf(shard);
  return repeatBatch(background, 1, async () => {
    const queued = await queueSubscriptionMessages(db, {
      idStem: background.runtime.newId("msg").slice(0, -3),
      now: background.runtime.now(),
      limit: subscriptionsPerBatch,
    });
    return { processed: queued.length, hasMore: queued.length === subscriptionsPerBatch };
  });
}
