import { cancelUnpaidOrder } from "../orders/index.ts";
import { loadCartOrders } from "./cart-orders-query.ts";
import { type Checkout, type CompletedCheckout, orderIdsToReplace } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { isSold, replacementReason } from "./replaced-orders.ts";

/**
 * Cancels the unpaid orders of a checkout and of its cart, because the session has expired or
 * another line needs its slot. Returns "sold" when an order cannot be cancelled: its payment
 * arrived, or the business has accepted it for payment by hand.
 */
export async function abandonCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
): Promise<"abandoned" | "sold"> {
  const { cartId } = checkout.request;
  const orders = await loadCartOrders(ctx, { orderIds: orderIdsToReplace(checkout), cartId });
  const cancelled = await Promise.all(
    orders.map((order) => cancelUnpaidOrder(ctx, order, replacementReason)),
  );
  return cancelled.some(isSold) ? "sold" : "abandoned";
}

/**
 * Cancels the orders of completed checkouts whose payment has failed since. Returns whether an
 * order was cancelled. Payments that are due to the business are made by hand and cannot fail.
 */
export async function cancelFailedOrders(
  ctx: CheckoutContext,
  completed: readonly CompletedCheckout[],
): Promise<boolean> {
  const chargeable = completed.filter(({ charge }) => charge.type !== "due");
  const orderIds = chargeable.map(({ plan }) => plan.orderId);
  const orders = await loadCartOrders(ctx, { orderIds, cartId: null });
  const failed = orders.filter(({ payment }) => payment.status === "failed");
  const cancelled = await Promise.all(
    failed.map((order) => cancelUnpaidOrder(ctx, order, "Its payment failed.")),
  );
  return cancelled.some(({ order }) => order.status === "cancelled");
}
