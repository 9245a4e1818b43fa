import type { OrderContext } from "../../../shared/orders/index.ts";
import { processDueSubscription } from "../../../shared/renewals/index.ts";
import { claimDueSubscriptions } from "../../../shared/subscriptions/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import { processConcurrently } from "../runs/process-concurrently.ts";

const job = "renew-subscriptions";

/** So few that even a slow payment provider responds to all of them before their leases expire. */
const renewalsPerBatch = 6;

/** Renews or ends due subscriptions, or retries their payments. */
export function renewSubscriptions(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const db = background.dbOf(shard);

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
      background.failedRecords.add({ job, shard, record: id }, error);
      if (isTemporaryRefusal(error)) return;
      reportError("subscription not processed", { subscription: id }, error);
    }
  }

  return processConcurrently(background, {
    batchSize: renewalsPerBatch,
    claim: (range) => claimDueSubscriptions(db, range),
    async prepare(due) {
      const contexts = await background.loadOrderContexts(
        due.map(({ businessId }) => businessId),
        job,
      );
      return due.flatMap(({ id, businessId }) => {
        const ctx = contexts.get(businessId); // missing when the business was deleted
        return ctx ? [{ businessId, run: () => processSubscription(ctx, id) }] : [];
      });
    },
    queries: { perBatch: 2, perRecord: maxQueries.renewal, maxPerRecord: maxQueries.renewal },
  });
}
