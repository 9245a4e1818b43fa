import { findRefusal } from "../../../shared/kernel/index.ts";
import {
  claimDueIntents,
  finishOrderIntent,
  type OrderIntent,
  type OrderLinkContext,
} from "../../../shared/link/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries, processInBatches } from "../runs/batches.ts";

const job = "finish-order-links";
const intentsPerBatch = 8;

/**
 * Finishes enrolments with an order that a crash interrupted after the write to the shard and
 * before the write to CORE.
 */
export function finishOrderLinks(background: BackgroundContext): Promise<JobResult> {
  const core = background.core();
  return processInBatches(background, {
    batchSize: intentsPerBatch,
    maxQueriesPerBatch: intentsPerBatch * maxQueries.intent,
    claim: (range) => claimDueIntents(core, range),
    async process(due) {
      const contexts = await background.loadOrderContexts(
        due.map(({ businessId }) => businessId),
        job,
      );
      for (const intent of due) {
        const ctx = contexts.get(intent.businessId);
        const { notify } = background.messages;
        if (ctx) await finishOrderLink(background, { ...ctx, core, notify }, intent);
      }
    },
  });
}

/**
 * Finishes one intent. An error is reported, so that the other intents continue. The claim has
 * already moved this intent to a later run.
 */
async function finishOrderLink(
  { failedRecords }: BackgroundContext,
  ctx: OrderLinkContext,
  intent: OrderIntent,
): Promise<void> {
  try {
    await finishOrderIntent(ctx, intent);
  } catch (error) {
    // Either another account has the order, and nothing is left to do, or the next run retries.
    if (findRefusal(error)?.code === "CONFLICT") return;
    reportError("order not linked", { order: intent.orderId }, error);
    failedRecords.add({ job, shard: null, record: intent.orderId }, error);
  }
}
