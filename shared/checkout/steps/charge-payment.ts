import { askProvider, chargeExpiresAt } from "../../orders/index.ts";
import {
  type ChargeResult,
  findAttempt,
  openChargeResult,
  returnUrlsOf,
  type VerifyResult,
} from "../../payments/index.ts";
import {
  type ChargedCheckout,
  type ChargingCheckout,
  type CheckoutRequest,
  type CheckoutRun,
  type CompletedCheckout,
  type DeclinedCheckout,
  type PaymentFailedCheckout,
  pickPlacedFields,
} from "../checkout.ts";
import type { CheckoutContext } from "../context.ts";
import { amountToPay } from "../convert-currency.ts";
import { plannedOrder, requireChargeProvider } from "../planned-records.ts";

type AnsweredCheckout =
  | ChargedCheckout
  | DeclinedCheckout
  | PaymentFailedCheckout
  | CompletedCheckout;

/**
 * Charges the order. When an earlier run may have charged the reference, the provider is asked
 * first.
 */
export async function chargePayment(
  ctx: CheckoutContext,
  run: CheckoutRun<ChargingCheckout>,
): Promise<CheckoutRun<AnsweredCheckout>> {
  const result = await requestCharge(ctx, run);
  return { ...run, checkout: withResult(run.checkout, result) };
}

/**
 * The state after the charge. A payment that is due completes the checkout, because the order was
 * placed as due. Without an answer there is nothing to record.
 */
function withResult(checkout: ChargingCheckout, charge: ChargeResult): AnsweredCheckout {
  const fields = pickPlacedFields(checkout);
  switch (charge.type) {
    case "declined":
    case "unavailable":
      return { ...fields, state: "declined", charge };
    case "no_answer":
      return { ...fields, state: "payment_failed", failure: "no_answer" };
    case "due":
      return { ...fields, state: "completed", charge };
    case "captured":
    case "authorization":
    case "redirect":
    case "await":
      return { ...fields, state: "charged", charge };
  }
}

async function requestCharge(
  ctx: CheckoutContext,
  { checkout, order, mustVerify }: CheckoutRun<ChargingCheckout>,
): Promise<ChargeResult> {
  const { plan, request, reference, orderNumber } = checkout;
  const provider = requireChargeProvider(ctx, checkout);
  if (mustVerify && order) {
    const earlier = resolveOpenCharge(await askProvider(ctx, order, { reference }), request);
    if (earlier.type !== "unknown") return earlier;
  }
  return provider.charge({
    reference,
    orderId: plan.orderId,
    orderNumber,
    ...amountToPay(ctx, plan),
    expiresAt: chargeExpiresAt(
      (order && findAttempt(order, reference)) ?? plan,
      order?.order ?? plannedOrder(ctx, checkout),
    ),
    savesPayer: plan.lines.some(({ billingPlan }) => billingPlan !== null),
    paymentToken: ctx.paymentToken ?? null,
    email: request.customer.email,
    mobileMoney: request.mobileMoney,
    returnUrls: returnUrlsOf(request.returnUrls, plan),
    origin: request.origin,
  });
}

/**
 * The result of a verification. "open" is replaced by what an open charge requires from the
 * shopper.
 */
export const resolveOpenCharge = (
  result: VerifyResult,
  request: CheckoutRequest,
): Exclude<VerifyResult, { type: "open" }> =>
  result.type === "open" ? openChargeResult(request) : result;
