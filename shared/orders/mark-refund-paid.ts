import { notFound, ruleViolation } from "../kernel/index.ts";
import { type Refund, refundRepo, withRefunds } from "../payments/index.ts";
import { commitOrder, retryOrderChange } from "./commit-order.ts";
import type { OrderContext } from "./context.ts";
import { refundEvent } from "./events.ts";
import { nextVersion } from "./order.ts";
import type { OrderDetails } from "./order-details-query.ts";
import { isReturnedByBusiness } from "./plan-refund.ts";

/**
 * Records that the business has returned the money of a due refund, for example in cash. A repeat
 * changes nothing.
 *
 * @throws Refusal NOT_FOUND for a refund that is not the order's, INVALID_STATE for one that a
 *   provider returns.
 */
export const markRefundPaid = (
  ctx: OrderContext,
  details: OrderDetails,
  refundId: string,
): Promise<Refund> =>
  retryOrderChange(ctx, details, async (latest) => {
    const before = latest.refunds.find(({ id }) => id === refundId);
    if (!before) throw notFound("refund");
    assertReturnedByBusiness(ctx, latest, before);
    if (before.status !== "refund_due") return before;
    const at = ctx.now();
    const refund: Refund = { ...before, status: "refunded", updatedAt: at, settledAt: at };
    const refunds = latest.refunds.map((other) => (other.id === refundId ? refund : other));
    const payment = withRefunds(latest.payment, refunds, at);
    await commitOrder(ctx, {
      order: { ...nextVersion(latest.order, at), paymentStatus: payment.status },
      payment,
      writes: [refundRepo(ctx).settle(refund)],
      events: [refundEvent(payment, refund)],
      audit: [
        {
          action: "order.refund_paid",
          entity: latest.order.id,
          before: { refundId, status: before.status },
          after: { refundId, status: refund.status },
        },
      ],
    });
    return refund;
  });

function assertReturnedByBusiness(
  ctx: OrderContext,
  { payment }: OrderDetails,
  refund: Refund,
): void {
  if (isReturnedByBusiness(ctx, payment, refund)) return;
  throw ruleViolation(
    "INVALID_STATE",
    "The payment provider returns this refund. Only a refund of cash can be marked as paid.",
    { payment_method: payment.method, status: refund.status },
  );
}
