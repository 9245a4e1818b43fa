import { extendPaymentDeadline, unpaidOrderTtlMs } from "../../orders/index.ts";
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
import { newReference, requireProvider } from "../planned-records.ts";
import { resolveOpenCharge } from "./charge-payment.ts";
import { checkoutOfPayment } from "./record-charge.ts";

type ChargeableCheckout =
  | PlacedCheckout
  | ChargingCheckout
  | DeclinedCheckout
  | PaymentFailedCheckout;

type StartedCheckout = ChargingCheckout | ChargedCheckout | MismatchedCheckout | CompletedCheckout;

/**
 * Chooses the reference of the charge, which is stored before the provider is called. A retry first
 * extends the order's deadline and checks that the order is not cancelled or paid. Only after a
 * confirmed decline does it use a new reference.
 *
 * @throws Refusal CONFLICT when the order can no longer be paid.
 */
export async function startCharge(
  ctx: CheckoutContext,
  run: CheckoutRun<ChargeableCheckout>,
): Promise<CheckoutRun<StartedCheckout>> {
  if (run.isNewOrder) return { ...run, checkout: withCharge(ctx, run.checkout) };
  const isDeclined = await confirmDeclined(ctx, run.checkout);
  const reference = isDeclined ? newReference(ctx) : run.checkout.reference;
  const checkout = { ...run.checkout, reference };
  const order = await extendPaymentDeadline(
    ctx,
    { orderId: checkout.plan.orderId, expiresAt: ctx.now() + unpaidOrderTtlMs, reference },
    run.order,
  );
  return {
    ...run,
    order,
    mustVerify: !isDeclined,
    checkout: checkoutOfPayment(checkout, order.payment) ?? withCharge(ctx, checkout),
  };
}

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
    amountMinor === 0 && requireProvider(ctx, checkout.request).collectedBy === "provider";
  return isFree
    ? { ...fields, state: "charged", charge: { type: "captured", amountMinor, currency } }
    : { ...fields, state: "charging" };
}

/**
 * Asks the provider whether a charge was really declined, because a charge that timed out can still
 * be confirmed.
 */
async function confirmDeclined(ctx: CheckoutContext, checkout: Checkout): Promise<boolean> {
  const wasDeclined =
    checkout.state === "declined" ||
    (checkout.state === "payment_failed" && checkout.failure === "declined");
  if (!wasDeclined) return false;
  const { request, reference } = checkout;
  const verified = await requireProvider(ctx, request).verify(reference);
  const result = resolveOpenCharge(verified, request);
  return result.type === "declined" || result.type === "unknown";
}
