import {
  cancelUnpaidOrder,
  claimExpiredOrders,
  type ExpiredOrder,
  type OrderContext,
  orderRepo,
} from "../../../shared/orders/index.ts";
import { type BackgroundContext, isTemporaryRefusal, reportError } from "../context.ts";
import { maxPerShard, ordersPerRun, processInBatches } from "./batches.ts";

const job = "expire-orders";
const ordersPerBatch = 10;

/**
 * Cancels orders that were not paid in time and releases their stock
 * (docs/contract/storefront.md#unpaid-order-expiry).
 */
export async function expireOrders(background: BackgroundContext, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await processInBatches(background, {
    batchSize: ordersPerBatch,
    maxPerRun: maxPerShard(background, ordersPerRun),
    claim: (range) => claimExpiredOrders(db, range),
    async process(orders) {
      const contexts = await background.loadOrderContexts(
        orders.map(({ businessId }) => businessId),
        job,
      );
      for (const order of orders) {
        const ctx = contexts.get(order.businessId);
        if (ctx) await expireOrder(ctx, order);
      }
    },
  });
}

/**
 * Cancels one order. An error is reported, so that the other orders continue; the next run retries.
 */
async function expireOrder(ctx: OrderContext, { id, claimedUntil }: ExpiredOrder): Promise<void> {
  try {
    const details = await orderRepo(ctx).get(id);
    const { expiresAt } = details.order;
    const changedSinceClaim = expiresAt === null || expiresAt !== claimedUntil;
    if (changedSinceClaim) return;
    await cancelUnpaidOrder(ctx, details, "The payment did not arrive in time.");
  } catch (error) {
    if (isTemporaryRefusal(error)) return;
    reportError("order not expired", { order: id }, error);
  }
}
