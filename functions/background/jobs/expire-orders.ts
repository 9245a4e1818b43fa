import { type Refusal, refusalIn } from "../../../shared/kernel/index.ts";
import {
  cancelUnpaidOrder,
  claimExpiredOrders,
  type ExpiredOrder,
  type OrderContext,
  orderRepo,
} from "../../../shared/orders/index.ts";
import { type Background, report } from "../context.ts";
import { inBatches } from "./in-batches.ts";
import { ordersPerRun, perShard } from "./query-budget.ts";

const job = "expire-orders";
const ordersPerBatch = 10;

/** Cancels orders that nobody paid within their 30 minutes, and gives their stock back (completions.md 6). */
export async function expireOrders(background: Background, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await inBatches(background, {
    size: ordersPerBatch,
    most: perShard(background, ordersPerRun),
    find: (range) => claimExpiredOrders(db, range),
    async work(orders) {
      const contexts = await background.orderContexts(
        orders.map(({ businessId }) => businessId),
        job,
      );
      for (const order of orders) {
        const ctx = contexts.get(order.businessId);
        if (ctx) await expire(ctx, order);
      }
    },
  });
}

/** One that fails, or that is paid at this moment, keeps no other from its end; the next run asks again. */
async function expire(ctx: OrderContext, { id, until }: ExpiredOrder): Promise<void> {
  try {
    const paid = await orderRepo(ctx).get(id);
    const { expiresAt } = paid.order;
    if (expiresAt === null || expiresAt !== until) return; // paid or put off since it was taken up
    await cancelUnpaidOrder(ctx, paid, "The payment did not arrive in time.");
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal && isForLater(refusal)) return;
    report("order not expired", { order: id }, error);
  }
}

/** It changes at this moment, or the provider does not say: the next run asks again. */
const isForLater = ({ code }: Refusal): boolean =>
  code === "CONFLICT" || code === "SERVICE_UNAVAILABLE";
