import { Refusal } from "../kernel/index.ts";
import { cancelUnpaidOrder, orderRepo, type PaidOrder } from "../orders/index.ts";
import { isSettled } from "../payments/index.ts";
import type { Checkout } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";

/**
 * Ends a checkout that another takes the place of: its order, should there be one, is cancelled.
 * "paid" when the money arrived after all: then that sale stands.
 */
export async function giveUpCheckout(
  ctx: CheckoutContext,
  { plan }: Checkout,
): Promise<"given_up" | "paid"> {
  const paid = await found(ctx, plan.orderId);
  if (paid === null) return "given_up";
  const { payment } = await cancelUnpaidOrder(ctx, paid, "Replaced by another checkout.");
  return isSettled(payment) ? "paid" : "given_up";
}

async function found(ctx: CheckoutContext, orderId: string): Promise<PaidOrder | null> {
  try {
    return await orderRepo(ctx).get(orderId);
  } catch (error) {
    if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
