import type { OrderContext } from "../../../shared/orders/index.ts";
import { processDueSubscription } from "../../../shared/renewals/index.ts";
import {
  claimDueSubscriptions,
  type DueSubscription,
} from "../../../shared/subscriptions/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, isTemporaryRefusal, reportError } from "../context.ts";
import type { QueuedJob } from "../queued-job.ts";
import { maxPerShard, renewalsPerMessage, renewalsPerRun } from "./batches.ts";

const job = "renew-subscriptions";

/**
 * Claims due subscriptions and queues them in small groups. Each group runs in its own invocation.
 * If a message is lost, its subscriptions are due again when their leases expire.
 */
export async function renewSubscriptions(
  background: BackgroundContext,
  shard: string,
): Promise<void> {
  const due = await claimDueSubscriptions(background.dbOf(shard), {
    now: background.runtime.now(),
    limit: maxPerShard(background, renewalsPerRun),
  });
  const messages = toQueuedJobs(due).map((body) => ({ body }));
  if (messages.length > 0) await background.jobQueue.sendBatch(messages);
}

const toQueuedJobs = (due: readonly DueSubscription[]): QueuedJob[] =>
  Array.from({ length: Math.ceil(due.length / renewalsPerMessage) }, (_, index) => {
    const first = index * renewalsPerMessage;
    return { type: "renewals", due: due.slice(first, first + renewalsPerMessage) };
  });

/**
 * Renews or ends each subscription, or retries its payment. Skips those that were processed
 * already.
 */
export async function processDueSubscriptions(
  background: BackgroundContext,
  due: readonly DueSubscription[],
): Promise<void> {
  const contexts = await background.loadOrderContexts(
    due.map(({ businessId }) => businessId),
    job,
  );
  for (const { id, businessId } of due) {
    const ctx = contexts.get(businessId);
    if (ctx) await processSubscription(ctx, id);
  }
}

/**
 * Processes one subscription. An error is reported, so that the other subscriptions continue. This
 * subscription is due again when its lease expires.
 */
async function processSubscription(ctx: OrderContext, id: string): Promise<void> {
  try {
    const result = await processDueSubscription(ctx, id);
    if (result === "provider_silent")
      log("error", "renewal without an answer", { subscription: id });
  } catch (error) {
    if (isTemporaryRefusal(error)) return;
    reportError("subscription not processed", { subscription: id }, error);
  }
}
