import { type Refusal, ruleViolation } from "../kernel/index.ts";
import { isOpen, isSettled } from "../payments/index.ts";
import { findNoticeRefusal } from "../scheduling/index.ts";
import type { OrderContext } from "./context.ts";
import { isBeyond } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";

type CustomerRules = Pick<OrderContext, "business" | "now">;

/**
 * Why a customer may not cancel the order, which would refund all of it; null when they may. The
 * business may always (docs/contract/storefront.md#order-cancellation).
 */
export function findCancellationRefusal(
  { business, now }: CustomerRules,
  { order, payment, bookings }: OrderDetails,
): Refusal | null {
  const { customerCancellation } = business.settings;
  if (customerCancellation !== null && isBeyond(order, customerCancellation)) {
    return ruleViolation(
      "ORDER_NOT_CANCELLABLE",
      `The order is already ${order.status}. Ask the business to cancel it.`,
      { status: order.status },
    );
  }
  if (isAwaitingProvider({ order, payment })) return null;
  // The price of a booking that the business cancelled late is the business's to return.
  const binding = bookings.filter(({ status }) => status !== "cancelled" || isSettled(payment));
  for (const booking of binding) {
    const refusal = findNoticeRefusal(booking, now());
    if (refusal) return refusal;
  }
  return null;
}

/** @throws Refusal ORDER_NOT_CANCELLABLE or CANCELLATION_WINDOW_CLOSED, as the above returns it. */
export function assertCustomerMayCancel(rules: CustomerRules, details: OrderDetails): void {
  const refusal = findCancellationRefusal(rules, details);
  if (refusal) throw refusal;
}

/**
 * Whether a provider's payment is still to be made. Such an order ends by itself without it, so its
 * bookings are not agreed yet.
 */
const isAwaitingProvider = ({ order, payment }: Pick<OrderDetails, "order" | "payment">): boolean =>
  order.status === "pending" && isOpen(payment) && payment.mismatch === null;
