import { commit } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import type { OrderContext } from "./context.ts";
import { changedMeanwhile } from "./record-payment.ts";
import { orderRepo } from "./repo.ts";

/**
 * Puts off the end of an unpaid order, so that a further charge and its expiry cannot both happen:
 * they are changes of one version.
 *
 * @throws Refusal CONFLICT when the order was cancelled, or changes at this moment
 * (retryable).
 */
export async function keepWaiting(
  ctx: OrderContext,
  orderId: string,
  until: number,
): Promise<void> {
  const { order, payment } = await orderRepo(ctx).get(orderId);
  if (order.status === "cancelled") {
    throw conflict("The order of this checkout was cancelled; check out again with a new key.");
  }
  if (payment.status === "captured") return; // the money came after all: there is nothing to wait for
  const waiting = { ...order, expiresAt: until, updatedAt: ctx.now(), version: order.version + 1 };
  await commit(ctx, {
    writes: orderRepo(ctx).update(waiting),
    refusals: { "order_history.": changedMeanwhile },
  });
}
