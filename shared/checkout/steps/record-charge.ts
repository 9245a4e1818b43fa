import { newOrderDetails, type OrderDetails, recordCharge } from "../../orders/index.ts";
import { isSettled, type Payment } from "../../payments/index.ts";
import {
  type ChargedCheckout,
  type Checkout,
  type CheckoutRun,
  type CompletedCheckout,
  type DeclinedCheckout,
  type MismatchedCheckout,
  type PaymentFailedCheckout,
  type PlannedCheckout,
  pickPlacedFields,
} from "../checkout.ts";
import type { CheckoutContext } from "../context.ts";
import { plannedOrder, plannedPayment } from "../planned-records.ts";

type RecordedCheckout = CompletedCheckout | PaymentFailedCheckout | MismatchedCheckout;

/**
 * Writes the provider's response to the order and its payment. The state of the payment determines
 * the outcome, because a payment may have arrived under an earlier reference. An order that this
 * run placed is not read again.
 */
export async function recordChargeResult(
  ctx: CheckoutContext,
  run: CheckoutRun<ChargedCheckout | DeclinedCheckout>,
): Promise<CheckoutRun<RecordedCheckout>> {
  const { checkout } = run;
  const before = run.order ?? placedOrderDetails(ctx, checkout);
  const { charge: result, reference } = checkout;
  const order = await recordCharge(ctx, before, { result, reference });
  return {
    ...run,
    order,
    checkout: checkoutOfPayment(checkout, order.payment) ?? withRecordedCharge(checkout),
  };
}

function withRecordedCharge(checkout: ChargedCheckout | DeclinedCheckout): RecordedCheckout {
  const fields = pickPlacedFields(checkout);
  if (checkout.state === "charged")
    return { ...fields, state: "completed", charge: checkout.charge };
  const { charge } = checkout;
  return charge.type === "declined"
    ? { ...fields, state: "payment_failed", failure: "declined", reason: charge.reason }
    : { ...fields, state: "payment_failed", failure: "unavailable", reason: charge.reason };
}

/**
 * The outcome of a payment that received money under any of its references. Null when no money was
 * received.
 */
export function checkoutOfPayment(
  checkout: Exclude<Checkout, PlannedCheckout>,
  { amountMinor, currency, mismatch, ...payment }: Payment,
): CompletedCheckout | MismatchedCheckout | null {
  const fields = pickPlacedFields(checkout);
  if (isSettled(payment)) {
    const charge = { type: "captured", amountMinor, currency } as const;
    return { ...fields, reference: payment.reference, state: "completed", charge };
  }
  return mismatch ? { ...fields, state: "mismatched" } : null;
}

function placedOrderDetails(
  ctx: CheckoutContext,
  checkout: ChargedCheckout | DeclinedCheckout,
): OrderDetails {
  const order = { ...plannedOrder(ctx, checkout), orderNumber: checkout.orderNumber };
  const bookings = checkout.plan.bookings.map(({ booking }) => booking);
  const { agent = null } = checkout.request;
  return newOrderDetails(order, plannedPayment(ctx, checkout), bookings, agent);
}
