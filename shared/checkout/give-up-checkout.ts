import { cancelUnpaidOrder } from "../orders/index.ts";
import { type Checkout, replacedBy } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { isSale, replacedReason } from "./replaced-orders.ts";
import { soughtOrders } from "./standing-repo.ts";

/**
 * Ends a checkout whose session nobody uses any more, or whose place in the calendar is wanted: its
 * order, or while it was not placed the one that it was to take the place of, is cancelled. "stands" when
 * the money arrived after all, or the business has taken up an order that is to be paid to it by hand:
 * then that is the sale.
 */
export async function giveUpCheckout(
  ctx: CheckoutContext,
  checkout: Checkout,
): Promise<"given_up" | "stands"> {
  const found = await soughtOrders(ctx, replacedBy(checkout)).find();
  const ended = await Promise.all(
    found.map((paid) => cancelUnpaidOrder(ctx, paid, replacedReason)),
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
  const found = await soughtOrders(
    ctx,
    mayFail.map(({ plan }) => plan.orderId),
  ).find();
  const failed = found.filter(({ payment }) => payment.status === "failed");
  const ended = await Promise.all(
    failed.map((paid) => cancelUnpaidOrder(ctx, paid, "Its payment failed.")),
  );
  return ended.some(({ order }) => order.status === "cancelled");
}
