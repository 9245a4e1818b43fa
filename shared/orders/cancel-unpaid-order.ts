import { commit } from "../database/index.ts";
import { redemptionRepo } from "../deals/index.ts";
import { stockRepo } from "../inventory/index.ts";
import { unavailable } from "../kernel/index.ts";
import { paymentRepo } from "../payments/index.ts";
import type { OrderContext } from "./context.ts";
import { orderEvent } from "./events.ts";
import { cancelled } from "./order.ts";
import { changedMeanwhile } from "./record-payment.ts";
import { orderRepo, type PaidOrder } from "./repo.ts";
import { verifiedPayment } from "./verify-payment.ts";

/**
 * Gives up an order that nobody paid: its stock and the uses of its deals go back, its payment ends. The provider is asked
 * first, since money that arrived late must not be lost; then the order stays, paid.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the provider does not say; CONFLICT (retryable) when another change of the order came first.
 */
export async function cancelUnpaidOrder(
  ctx: OrderContext,
  paid: PaidOrder,
  reason: string,
): Promise<PaidOrder> {
  const verified = await verifiedPayment(ctx, paid);
  if (verified === "no_answer") {
    throw unavailable("The payment provider did not answer; try again.");
  }
  const { order, payment } = verified;
  if (payment.status === "captured" || order.status !== "pending") return { order, payment };
  const at = ctx.now();
  const ended = {
    payment: {
      ...payment,
      status: "cancelled" as const,
      nextAction: { type: "none" as const },
      updatedAt: at,
      version: payment.version + 1,
    },
    order: {
      ...cancelled(order, reason, { at, by: "system" }),
      paymentStatus: "cancelled" as const,
    },
  };
  await commit(ctx, {
    writes: [
      ...orderRepo(ctx).update(ended.order),
      paymentRepo(ctx).update(ended.payment),
      ...stockRepo(ctx).release(order.id),
      ...redemptionRepo(ctx).release(order.id),
    ],
    events: [orderEvent("order.cancelled", ended.order)],
    refusals: { "order_history.": changedMeanwhile },
  });
  return ended;
}
