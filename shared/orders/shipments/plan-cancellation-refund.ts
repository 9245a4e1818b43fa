import { allocate } from "../../kernel/index.ts";
import { refundableMinor } from "../../payments/index.ts";
import type { OrderContext } from "../context.ts";
import { lineTotals } from "../order-amounts.ts";
import type { OrderDetails } from "../order-details-query.ts";
import { type PlannedRefund, planRefund } from "../plan-refund.ts";
import { soldUnits } from "./fulfilment.ts";

/**
 * Plans the refund of a cancelled order: what was paid for units that were not shipped, failed to
 * arrive or came back, less what was refunded before. Null when nothing is left to refund.
 */
export function planCancellationRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { reason = "The order was cancelled.", isHandedBack = false }: CancellationRefundInput = {},
): PlannedRefund | null {
  const { payment, refunds } = details;
  const leftMinor = refundableMinor(payment, refunds);
  const refundedMinor = payment.amountMinor - leftMinor;
  const amountMinor = Math.min(leftMinor, paidForUnsold(details) - refundedMinor);
  if (amountMinor <= 0) return null;
  return planRefund(ctx, details, {
    amountMinor,
    reason,
    isRestocked: false,
    requestKey: null,
    isHandedBack,
  });
}

type CancellationRefundInput = Readonly<{
  reason?: string;
  /** Whether the business returns the money now, or never took it. */
  isHandedBack?: boolean;
}>;

/** The part of the payment for units that do not stay sold. The delivery's price belongs to those that do. */
function paidForUnsold(details: OrderDetails): number {
  const { order, payment } = details;
  const sold = soldUnits(details);
  if (sold.size === 0) return payment.amountMinor;
  const totals = lineTotals(order);
  const unsoldMinor = order.lines.reduce((sum, { id, quantity }, index) => {
    const soldQuantity = sold.get(id) ?? 0;
    const [, unsold = 0] = allocate(totals[index] ?? 0, [soldQuantity, quantity - soldQuantity]);
    return sum + unsold;
  }, 0);
  const keptMinor = order.totalPriceMinor - unsoldMinor;
  const [, refundedMinor = 0] = allocate(payment.amountMinor, [keptMinor, unsoldMinor]);
  return refundedMinor;
}
