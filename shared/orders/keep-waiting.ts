import { commit } from "../database/index.ts";
import { conflict } from "../kernel/index.ts";
import { paymentRepo } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { changedMeanwhile } from "./record-payment.ts";
import { orderRepo } from "./repo.ts";

/**
 * Puts off the end of an unpaid order and notes under which reference it is charged next, so that a
 * further charge and its expiry cannot both happen (they are changes of one version), and whoever
 * verifies asks for the charge that counts.
 *
 * @throws Refusal CONFLICT when the order was cancelled, or changes at this moment
 * (retryable).
 */
export async function keepWaiting(
  ctx: OrderContext,
  { orderId, until, reference }: { orderId: string; until: number; reference: string },
): Promise<void> {
  const { order, payment } = await orderRepo(ctx).get(orderId);
  if (order.status === "cancelled") {
    throw conflict("The order of this checkout was cancelled; check out again with a new key.");
  }
  if (payment.status === "captured") return; // the money came after all: there is nothing to wait for
  const waiting = { ...order, expiresAt: until, updatedAt: ctx.now(), version: order.version + 1 };
  await commit(ctx, {
    writes: [
      ...orderRepo(ctx).update(waiting),
      paymentRepo(ctx).update({
        ...payment,
        reference,
        updatedAt: ctx.now(),
        version: payment.version + 1,
      }),
    ],
    refusals: { "order_history.": changedMeanwhile },
  });
}
