import { commit } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { OrderContext } from "./context.ts";
import { changedMeanwhile } from "./record-payment.ts";
import { orderRepo } from "./repo.ts";

/**
 * Puts off the end of an unpaid order, so that a further charge and its expiry cannot both happen:
 * they are changes of one version.
 *
 * @throws Refusal CONFLICT when the order is no longer to be paid, or changes at this moment
 * (retryable).
 */
export async function keepWaiting(ctx: OrderContext, orderId: string, until: number): Promise<void> {
  const { order } = await orderRepo(ctx).get(orderId);
  if (order.status !== "pending") {
    throw conflict(`The order of this checkout is ${order.status}; check out again with a new key.`);
  }
  const waiting = { ...order, expiresAt: until, updatedAt: ctx.now(), version: order.version + 1 };
  await commit(ctx, {
    writes: orderRepo(ctx).update(waiting),
    refusals: { "order_history.": changedMeanwhile },
  });
}
