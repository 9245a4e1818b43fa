import { allocate } from "../../kernel/index.ts";
import { refundableMinor } from "../../payments/index.ts";
import { hasLeft, unitsByLine } from "../../shipments/index.ts";
import type { OrderContext } from "../context.ts";
import { lineTotals } from "../order-amounts.ts";
import type { OrderDetails } from "../order-details-query.ts";
import { type PlannedRefund, planRefund } from "../plan-refund.ts";
import { hasShippedUnits } from "./fulfilment.ts";

/**
 * Plans the refund of a cancelled order: what was paid for units that were not shipped, less what
 * was refunded before. Null when nothing is left to refund.
 */
export function planCancellationRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { reason = "The order was cancelled.", isHandedBack = false }: CancellationRefundInput = {},
): PlannedRefund | null {
  const { payment, refunds } = details;
  const leftMinor = refundableMinor(payment, refunds);
  const refundedMinor = payment.amountMinor - leftMinor;
  const amountMinor = Math.min(leftMinor, paidForUnshipped(details) - refundedMinor);
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

/** The part of the payment for units that were not shipped. The delivery's price belongs to those that were. */
function paidForUnshipped(details: OrderDetails): number {
  const { order, payment, shipments } = details;
  if (!hasShippedUnits(details)) return payment.amountMinor;
  const shippedUnits = unitsByLine(shipments.filter(hasLeft));
  const totals = lineTotals(order);
  const unshippedMinor = order.lines.reduce((sum, { id, quantity }, index) => {
    const shipped = shippedUnits.get(id) ?? 0;
    const [, unshipped = 0] = allocate(totals[index] ?? 0, [shipped, quantity - shipped]);
    return sum + unshipped;
  }, 0);
  const keptMinor = order.totalPriceMinor - unshippedMinor;
  const [, refundedMinor = 0] = allocate(payment.amountMinor, [keptMinor, unshippedMinor]);
  return refundedMinor;
}
