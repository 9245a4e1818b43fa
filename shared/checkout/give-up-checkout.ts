import { Refusal } from "../kernel/index.ts";
import { cancelUnpaidOrder, orderRepo, type PaidOrder } from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/**
 * Ends a checkout that another takes the place of: its order, should there be one, is cancelled.
 * "stands" when the money arrived after all, or the business has taken up an order that is to be paid
 * to it by hand: then that is the sale.
 */
export async function giveUpCheckout(
  ctx: CheckoutContext,
  { plan }: Checkout,
): Promise<"given_up" | "stands"> {
  const paid = await found(ctx, plan.orderId);
  if (paid === null) return "given_up";
  const { payment } = await cancelUnpaidOrder(ctx, paid, "Replaced by another checkout.");
  return isSettled(payment) || payment.status === "pending" ? "stands" : "given_up";
}

/**
 * Ends the order of a checkout that was started and whose payment has failed since; whether it did.
 * One that can still be paid stands.
 */
export async function giveUpFailed(ctx: CheckoutContext, { plan }: Checkout): Promise<boolean> {
  const paid = await found(ctx, plan.orderId);
  if (paid === null || paid.payment.status !== "failed") return false;
  const { order } = await cancelUnpaidOrder(ctx, paid, "Its payment failed.");
  return order.status === "cancelled";
}

async function found(ctx: CheckoutContext, orderId: string): Promise<PaidOrder | null> {
  try {
    return await orderRepo(ctx).get(orderId);
  } catch (error) {
    if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
