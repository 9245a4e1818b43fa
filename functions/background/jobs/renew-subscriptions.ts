import type { OrderContext } from "../../../shared/orders/index.ts";
import { processDueSubscription } from "../../../shared/renewals/index.ts";
import {
  claimDueSubscriptions,
  type DueSubscription,
} from "../../../shared/subscriptions/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, isTemporaryRefusal, reportError } from "../context.ts";
import type { QueuedJob } from "../queued-job.ts";
import { maxPerShard, renewalsPerMessage, renewalsPerRun } from "./query-budget.ts";

const job = "renew-subscriptions";

/**
 * Claims due subscriptions and queues them in small groups, each for an invocation of its own. A
 * subscription whose message is lost is due again when its lease expires.
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

/** Renews, retries or ends each of the subscriptions, as is due; skips those already processed. */
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

/** An error is reported and does not stop the others; the subscription is due again after its lease. */
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
