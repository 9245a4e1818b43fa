import { type OrderContext, orderRepo, settleRefund } from "../../../shared/orders/index.ts";
import {
  claimDueRefunds,
  type DueRefund,
  maxRefundAttempts,
} from "../../../shared/payments/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { maxPerShard, processInBatches, refundsPerRun } from "./batches.ts";

const job = "settle-refunds";
/** So few that even a slow payment provider responds to all of them before their leases expire. */
const refundsPerBatch = 3;

/**
 * Continues refunds that a crash interrupted, and refunds that the provider has not confirmed yet.
 */
export async function settleRefunds(background: BackgroundContext, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await processInBatches(background, {
    batchSize: refundsPerBatch,
    maxPerRun: maxPerShard(background, refundsPerRun),
    claim: (range) => claimDueRefunds(db, range),
    async process(refunds) {
      const contexts = await background.loadOrderContexts(
        refunds.map(({ businessId }) => businessId),
        job,
      );
      for (const refund of refunds) {
        const ctx = contexts.get(refund.businessId);
        if (ctx) await settleDueRefund(ctx, refund); // missing when the business was deleted
      }
    },
  });
}

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
    if (refused) {
      const { status, failureReason } = refused;
      reportError(
        "refund refused",
        { refund: id, attempts, status },
        new Error(`${failureReason}`),
      );
    }
  } catch (error) {
    reportError("refund not settled", { refund: id }, error);
  }
}
