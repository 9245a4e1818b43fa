import { type Refusal, unavailable } from "../kernel/index.ts";
import {
  type NextAction,
  type PaymentStatus,
  paymentDeclined,
  paymentUnavailable,
  providerUnavailable,
  publicProviderName,
  withChargeResult,
} from "../payments/index.ts";
import { type Checkout, isCompleted } from "./checkout.ts";
import type { CheckoutContext } from "./context.ts";
import { plannedPayment } from "./planned-records.ts";

/** The part of a completed checkout that the shopper sees. */
export type CheckoutResult = Readonly<{
  orderId: string;
  orderNumber: string;
  billToken: string;
  paymentId: string;
  paymentReference: string;
  paymentStatus: PaymentStatus;
  provider: string;
  nextAction: NextAction;
  /** Null when the order is paid in the cart's currency. */
  fx: Readonly<{
    quoteId: string;
    rate: string;
    payAmountMinor: number;
    payCurrency: string;
  }> | null;
}>;

/**
 * The result of a completed checkout.
 *
 * @throws Refusal SERVICE_UNAVAILABLE when the payment did not start: the provider declined, did
 * not answer or took another amount; PAYMENT_METHOD_UNAVAILABLE when it does not make such charges.
 * The order stays pending.
 */
export function requireCheckoutResult(ctx: CheckoutContext, checkout: Checkout): CheckoutResult {
  if (!isCompleted(checkout)) throw paymentRefusalOf(checkout);
  const { plan, charge, reference, orderNumber } = checkout;
  const payment = withChargeResult(plannedPayment(ctx, checkout), charge, plan.createdAt);
  return {
    orderId: plan.orderId,
    orderNumber,
    billToken: plan.billToken,
    paymentId: plan.paymentId,
    paymentReference: reference,
    paymentStatus: payment.status,
    provider: publicProviderName(payment.provider),
    nextAction: payment.nextAction,
    fx: plan.fx && {
      quoteId: plan.fx.quote.id,
      rate: plan.fx.quote.rate,
      payAmountMinor: payment.amountMinor,
      payCurrency: payment.currency,
    },
  };
}

function paymentRefusalOf(checkout: Checkout): Refusal {
  const { orderId } = checkout.plan;
  if (checkout.state === "mismatched") {
    return unavailable(
      "The provider took another amount than the order's; the business will look at it.",
    );
  }
  const failure = checkout.state === "payment_failed" ? checkout : null;
  switch (failure?.failure) {
    case "declined":
      return paymentDeclined(failure.reason, {
        orderId,
        advice: "Retry with the same Idempotency-Key, or pay another way.",
      });
    case "unavailable":
      return paymentUnavailable(failure.reason, orderId);
    default:
      return providerUnavailable(orderId, { advice: "Retry with the same Idempotency-Key." });
  }
}
