import { allocate } from "../../kernel/index.ts";
import { refundableMinor } from "../../payments/index.ts";
import type { Booking } from "../../scheduling/index.ts";
import type { OrderContext } from "../context.ts";
import { lineTotals } from "../order-amounts.ts";
import type { OrderDetails } from "../order-details-query.ts";
import { type PlannedRefund, planRefund } from "../plan-refund.ts";

type BookingRefundInput = Readonly<{
  /** The bookings whose price is to be refunded now; they are cancelled in `details`. */
  cancelled: readonly Booking[];
  reason: string | null;
}>;

/**
 * Plans the refund of bookings that were cancelled before they started: their part of the payment,
 * less what was refunded of the order beyond its other cancelled bookings. Null when the business
 * refunds bookings itself, or nothing is left to refund.
 */
export function planBookingRefund(
  ctx: OrderContext,
  details: OrderDetails,
  { cancelled, reason }: BookingRefundInput,
): PlannedRefund | null {
  if (ctx.business.settings.bookingRefunds === "manual") return null;
  const refundable = cancelled.filter(isCancelledBeforeStart);
  const leftMinor = refundableMinor(details.payment, details.refunds);
  if (refundable.length === 0 || leftMinor === 0) return null;
  const { amountMinor: paidMinor } = details.payment;
  const paidForCancelledMinor = paidFor(details, details.bookings.filter(isCancelledBeforeStart));
  const refundedMinor = paidMinor - leftMinor;
  const amountMinor = Math.min(
    paidFor(details, refundable),
    paidForCancelledMinor - refundedMinor,
    leftMinor,
  );
  if (amountMinor <= 0) return null;
  return planRefund(ctx, details, {
    amountMinor,
    reason: reason ?? "The booking was cancelled.",
    isRestocked: false,
    isHandedBack: false,
    // The key is unique per order, so that no booking is refunded twice.
    requestKey: `bookings ${refundable.map(({ id }) => id).join(" ")}`,
  });
}

/** Whether it was cancelled before its start. */
const isCancelledBeforeStart = ({ cancelledAt, startTime }: Booking): boolean =>
  cancelledAt !== null && cancelledAt < startTime;

/** The part of the payment that was for these bookings, after discounts and with tax. */
function paidFor({ order, payment }: OrderDetails, bookings: readonly Booking[]): number {
  const lineIds = new Set(bookings.map(({ lineItemId }) => lineItemId));
  const totals = lineTotals(order);
  const deliveryMinor = totals.reduce((rest, total) => rest - total, order.totalPriceMinor);
  return allocate(payment.amountMinor, [...totals, deliveryMinor])
    .filter((_, index) => lineIds.has(order.lines[index]?.id ?? ""))
    .reduce((sum, share) => sum + share, 0);
}
