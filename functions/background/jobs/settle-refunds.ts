import { type OrderContext, orderRepo, settleRefund } from "../../../shared/orders/index.ts";
import {
  claimDueRefunds,
  type DueRefund,
  maxRefundAttempts,
} from "../../../shared/payments/index.ts";
import { type Background, report } from "../context.ts";
import { inBatches } from "./in-batches.ts";
import { perShard, refundsPerRun } from "./query-budget.ts";

const job = "settle-refunds";
/** So few that a slow provider answers for all of them before anybody else may take them up. */
const refundsPerBatch = 3;

/** Goes on with refunds that a crash left, whose provider gave no answer, or whose money is under way. */
export async function settleRefunds(background: Background, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await inBatches(background, {
    size: refundsPerBatch,
    most: perShard(background, refundsPerRun),
    find: (range) => claimDueRefunds(db, range),
    async work(refunds) {
      const contexts = await background.orderContexts(
        refunds.map(({ businessId }) => businessId),
        job,
      );
      for (const refund of refunds) {
        const ctx = contexts.get(refund.businessId);
        if (ctx) await settle(ctx, refund);
      }
    },
  });
}

/** One that fails keeps no other from its end; its next time has been set already. */
async function settle(ctx: OrderContext, { id, orderId, attempts }: DueRefund): Promise<void> {
  try {
    const { refunds } = await settleRefund(ctx, await orderRepo(ctx).get(orderId), {
      refundId: id,
      onRefusal: attempts < maxRefundAttempts ? "try-again" : "fail",
    });
    const refused = refunds.find((refund) => refund.id === id && refund.failureReason !== null);
    if (refused) {
      const { status, failureReason } = refused;
      report("refund refused", { refund: id, attempts, status }, new Error(`${failureReason}`));
    }
  } catch (error) {
    report("refund not settled", { refund: id }, error);
  }
}
