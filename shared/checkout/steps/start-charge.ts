import { conflict } from "../../kernel/index.ts";
import {
  askProvider,
  extendPaymentDeadline,
  isPayable,
  type OrderDetails,
  orderRepo,
  paymentInProgress,
  recordCharge,
  unpaidOrderTtlMs,
} from "../../orders/index.ts";
import {
  findAttempt,
  isSettled,
  providerUnavailable,
  unavailableCharge,
} from "../../payments/index.ts";
import {
  type ChargedCheckout,
  type ChargingCheckout,
  type Checkout,
  type CheckoutRun,
  type CompletedCheckout,
  type DeclinedCheckout,
  type MismatchedCheckout,
  type PaymentFailedCheckout,
  type PlacedCheckout,
  pickPlacedFields,
} from "../checkout.ts";
import type { CheckoutContext } from "../context.ts";
import { amountToPay } from "../convert-currency.ts";
import {
  findNewProvider,
  newReference,
  plannedPayment,
  requireChargeProvider,
  requireNewProvider,
} from "../planned-records.ts";
import { resolveOpenCharge } from "./charge-payment.ts";
import { checkoutOfPayment } from "./record-charge.ts";

type ChargeableCheckout =
  | PlacedCheckout
  | ChargingCheckout
  | DeclinedCheckout
  | PaymentFailedCheckout;

type StartedCheckout =
  | ChargingCheckout
  | ChargedCheckout
  | MismatchedCheckout
  | CompletedCheckout
  | DeclinedCheckout
  | PaymentFailedCheckout;

/**
 * Chooses the reference of the charge, which is stored before the provider is called. A retry first
 * extends the order's deadline and checks that the order is not cancelled or paid. Only after a
 * confirmed decline does it use a new reference.
 *
 * @throws Refusal CONFLICT when the order can no longer be paid, and as `settleOtherAttempt`.
 */
export async function startCharge(
  ctx: CheckoutContext,
  run: CheckoutRun<ChargeableCheckout>,
): Promise<CheckoutRun<StartedCheckout>> {
  if (run.isNewOrder) return { ...run, checkout: withCharge(ctx, run.checkout) };
  const details = run.order ?? (await orderRepo(ctx).get(run.checkout.plan.orderId));
  const current = await settleOtherAttempt(ctx, details, run.checkout.reference);
  const isDeclined = await verifyUncharged(ctx, run.checkout, current);
  if (isDeclined && isPayable(current) && findNewProvider(ctx, run.checkout) === null) {
    return { ...run, order: current, checkout: withoutProvider(run.checkout, current) };
  }
  const checkout = isDeclined ? withNewReference(ctx, run.checkout) : run.checkout;
  const { reference } = checkout;
  const { id: orderId } = current.order;
  const { method, provider, amountMinor, currency } = plannedPayment(ctx, checkout);
  const expiresAt = ctx.now() + unpaidOrderTtlMs;
  const terms = { method, provider, amountMinor, currency };
  const charge = { orderId, expiresAt, reference, terms };
  const order = await extendPaymentDeadline(ctx, charge, current);
  return {
    ...run,
    order,
    mustVerify: !isDeclined,
    checkout: checkoutOfPayment(checkout, order.payment) ?? withCharge(ctx, checkout),
  };
}

/** The state of a checkout whose business has no provider for its payment method any more. */
function withoutProvider(
  checkout: ChargeableCheckout,
  { payment }: OrderDetails,
): DeclinedCheckout | PaymentFailedCheckout {
  const fields = pickPlacedFields(checkout);
  const charge = unavailableCharge("account");
  return payment.status === "failed"
    ? { ...fields, state: "payment_failed", failure: "unavailable", reason: charge.reason }
    : { ...fields, state: "declined", charge };
}

/**
 * Makes sure that an attempt that the shopper started on the order itself is over. A crashed run of
 * the checkout may also have left a reference that it did not store and never charged.
 *
 * @throws Refusal CONFLICT while the shopper can still pay that attempt, SERVICE_UNAVAILABLE when
 * its provider does not answer.
 */
async function settleOtherAttempt(
  ctx: CheckoutContext,
  details: OrderDetails,
  reference: string,
): Promise<OrderDetails> {
  const { order, payment } = details;
  if (payment.reference === reference || order.status === "cancelled") return details;
  if (isSettled(payment) || payment.mismatch !== null) return details;
  const { leaseUntil = null } = findAttempt(details, payment.reference) ?? {};
  if (leaseUntil !== null && leaseUntil > ctx.now()) throw paymentInProgress();
  const verified = await askProvider(ctx, details, payment);
  switch (verified.type) {
    case "unknown":
    case "declined":
      return details;
    case "captured":
      return recordCharge(ctx, details, { result: verified, reference: payment.reference });
    case "no_answer": // it may have taken the money
      throw providerUnavailable(order.id);
    default:
      throw conflict("Another payment of this order was started; finish it, or use a new key.");
  }
}

/** The checkout with the reference of its next charge, which follows the current routing. */
const withNewReference = (
  ctx: CheckoutContext,
  checkout: ChargeableCheckout,
): ChargeableCheckout => ({
  ...checkout,
  reference: newReference(ctx),
  provider: requireNewProvider(ctx, checkout).name,
});

/**
 * The next state. An order with nothing to pay is captured at once, because providers do not charge
 * zero amounts.
 */
function withCharge(
  ctx: CheckoutContext,
  checkout: ChargeableCheckout,
): ChargingCheckout | ChargedCheckout {
  const fields = pickPlacedFields(checkout);
  const { amountMinor, currency } = amountToPay(ctx, checkout.plan);
  const isFree =
    amountMinor === 0 && requireChargeProvider(ctx, checkout).collectedBy === "provider";
  return isFree
    ? { ...fields, state: "charged", charge: { type: "captured", amountMinor, currency } }
    : { ...fields, state: "charging" };
}

/**
 * Asks the provider whether a refused charge really took nothing, because one that timed out can
 * still be confirmed. Returns false without asking when no refusal was recorded.
 */
async function verifyUncharged(
  ctx: CheckoutContext,
  checkout: Checkout,
  details: OrderDetails,
): Promise<boolean> {
  const wasRefused =
    checkout.state === "declined" ||
    (checkout.state === "payment_failed" && checkout.failure !== "no_answer");
  if (!wasRefused) return false;
  const verified = await askProvider(ctx, details, checkout);
  const result = resolveOpenCharge(verified, checkout.request);
  return result.type === "declined" || result.type === "unknown";
}
