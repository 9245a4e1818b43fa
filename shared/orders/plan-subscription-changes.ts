import type { ConstraintRefusals, Write } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { isSettled, type Payment } from "../payments/index.ts";
import { planSubscriptionsOnPayment } from "../subscriptions/index.ts";
import type { OrderContext } from "./context.ts";
import type { Order } from "./order.ts";
import { lineTotals } from "./order-amounts.ts";
import type { OrderDetails } from "./order-details-query.ts";

/** Writes and events of subscriptions, for the batch that stores the payment. */
type PlannedSubscriptionChanges = Readonly<{
  writes: readonly Write[];
  events: readonly DomainEvent[];
  refusals: ConstraintRefusals;
}>;

/**
 * Plans the start or renewal of the order's subscriptions. They start when the payment settles,
 * unless the order is cancelled.
 */
export async function planSubscriptionChanges(
  ctx: OrderContext,
  before: Pick<OrderDetails, "payment">,
  { order, payment }: Readonly<{ order: Order; payment: Payment }>,
): Promise<PlannedSubscriptionChanges> {
  const settlesNow = isSettled(payment) && !isSettled(before.payment);
  if (!settlesNow || order.status === "cancelled") return { writes: [], events: [], refusals: {} };
  const totals = lineTotals(order);
  return planSubscriptionsOnPayment(ctx, {
    orderId: order.id,
    customerId: order.customerId,
    currency: order.currency,
    lines: order.lines.map((line, index) => ({ ...line, totalMinor: totals[index] ?? 0 })),
    reference: payment.reference,
  });
}
