import { type OrderContext, orderRepo, settleRefund } from "../../../shared/orders/index.ts";
import {
  claimDueRefunds,
  type DueRefund,
  maxRefundAttempts,
} from "../../../shared/payments/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries } from "../runs/batches.ts";
import { processConcurrently } from "../runs/process-concurrently.ts";

const job = "settle-refunds";
/** So few that even a slow payment provider responds to all of them before their leases expire. */
const refundsPerBatch = 12;

/**
 * Continues refunds that a crash interrupted, and refunds that the provider has not confirmed yet.
 */
export function settleRefunds(background: BackgroundContext, shard: string): Promise<JobResult> {
  const db = background.dbOf(shard);

  /**
   * Settles one refund. An error is reported, so that the other refunds continue. The claim has
   * already moved this refund to a later run.
   */
  async function settleDueRefund(
    ctx: OrderContext,
    { id, orderId, attempts }: DueRefund,
  ): Promise<void> {
    try {
      const { refunds } = await settleRefund(ctx, await orderRepo(ctx).get(orderId), {
        refundId: id,
        onRefusal: attempts < maxRefundAttempts ? "try-again" : "fail",
      });
      const refused = refunds.find((refund) => refund.id === id && refund.failureReason !== null);
      if (!refused) return;
      const { status, failureReason } = refused;
      const facts = { refund: id, attempts, status };
      reportError("refund refused", facts, new Error(`${failureReason}`));
    } catch (error) {
      reportError("refund not settled", { refund: id }, error);
      background.failedRecords.add({ job, shard, record: id }, error);
    }
  }

  return processConcurrently(background, {
    batchSize: refundsPerBatch,
    claim: (range) => claimDueRefunds(db, range),
    async prepare(refunds) {
      const contexts = await background.loadOrderContexts(
        refunds.map(({ businessId }) => businessId),
        job,
      );
      return refunds.flatMap((refund) => {
        const ctx = contexts.get(refund.businessId); // missing when the business was deleted
        if (!ctx) return [];
        return [{ businessId: refund.businessId, run: () => settleDueRefund(ctx, refund) }];
      });
    },
    queries: { perBatch: 2, perRecord: maxQueries.refund, maxPerRecord: maxQueries.refund },
  });
}
