import { type Db, jobFailureRepo } from "../../../shared/database/index.ts";
import {
  findBusinessesWithDueWebhooks,
  findOldestDueWebhook,
} from "../../../shared/webhooks/index.ts";
import type { OutboxWakeup } from "../../runtime/bindings.ts";
import { deliveryJob } from "../consumers/events.ts";
import type { BackgroundContext } from "../context.ts";
import type { JobResult } from "../runs/batches.ts";

/** The most businesses that a run wakes. Those with the longest due deliveries come first. */
const maxBusinesses = 5_000;
/** Cloudflare's limit for one `sendBatch`. */
const maxMessagesPerBatch = 100;

/** Since when a webhook waits that no failing business holds back; null when none does. */
export async function findOldestWaitingWebhook(
  db: Db,
  now: number,
  { core }: Pick<BackgroundContext, "core">,
): Promise<number | null> {
  const failingIds = await jobFailureRepo(core()).listFailingIds(deliveryJob, now);
  return findOldestDueWebhook(db, { now, exceptBusinessIds: failingIds });
}

/**
 * Wakes every business of a shard that has undispatched events or due webhook deliveries. The queue
 * message that was sent with the change may have been lost.
 */
export async function sweepEvents(
  { runtime, dbOf, eventQueue }: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const businessIds = await findBusinessesWithDueWebhooks(dbOf(shard), {
    now: runtime.now(),
    limit: maxBusinesses,
  });
  const messages = businessIds.map((businessId) => ({ body: { businessId, shard } }));
  for (const batch of toBatches(messages)) await eventQueue.sendBatch(batch);
  return { processed: businessIds.length, hasMore: false };
}

function toBatches(messages: readonly { body: OutboxWakeup }[]): { body: OutboxWakeup }[][] {
  const count = Math.ceil(messages.length / maxMessagesPerBatch);
  return Array.from({ length: count }, (_, index) =>
    messages.slice(index * maxMessagesPerBatch, (index + 1) * maxMessagesPerBatch),
  );
}
