import { cancelUnpaidOrder } from "../orders/index.ts";
import { type Checkout, replacedBy } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { isSale, replacedReason } from "./replaced-orders.ts";
import { soughtOrders } from "./standing-repo.ts";

/**
 * Ends a checkout whose session nobody uses any more, or whose place in the calendar is wanted: what
 * was ordered from its cart, its own order or the one that it was to take the place of, is cancelled.
 * "stands" when the money arrived after all, or the business has taken up an order that is to be paid to
 * it by hand: then that is the sale.
 */
export async function giveUpCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
): Promise<"given_up" | "stands"> {
  const { cartId } = checkout.request;
  const sought = soughtOrders(ctx, { orderIds: replacedBy(checkout), cartId });
  const { orders } = await sought.find();
  const ended = await Promise.all(
    orders.map((paid) => cancelUnpaidOrder(ctx, paid, replacedReason)),
  );
  return ended.some(isSale) ? "stands" : "given_up";
}

/**
 * Ends the orders of checkouts that were started and whose payment has failed since; whether any was.
 * One that can still be paid stands; what is due is paid by hand, and cannot fail.
 */
export async function giveUpFailed(
  ctx: CheckoutContext,
  started: readonly Checkout[],
): Promise<boolean> {
  const mayFail = started.filter(({ charge }) => charge?.type !== "due");
  const orderIds = mayFail.map(({ plan }) => plan.orderId);
  const { orders } = await soughtOrders(ctx, { orderIds, cartId: null }).find();
  const failed = orders.filter(({ payment }) => payment.status === "failed");
  const ended = await Promise.all(
    failed.map((paid) => cancelUnpaidOrder(ctx, paid, "Its payment failed.")),
  );
  return ended.some(({ order }) => order.status === "cancelled");
}
