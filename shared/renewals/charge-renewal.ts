import {
  changeOrderPayment,
  extendPaymentDeadline,
  type OrderContext,
  type OrderDetails,
  orderRepo,
} from "../orders/index.ts";
import {
  type ChargeResult,
  isSettled,
  type PaymentProvider,
  returnUrlsOf,
  type VerifyResult,
} from "../payments/index.ts";
import { hasRequestedCharge, type Invoice, type Subscription } from "../subscriptions/index.ts";
import { deriveRenewalReference, renewalPaymentOf } from "./renewal-payment.ts";

/** A billing period with an order that is not paid yet. */
export type ChargeablePeriod = Readonly<{
  subscription: Subscription;
  invoice: Invoice;
  details: OrderDetails;
  /** The order that started the subscription. */
  first: OrderDetails;
  /** Whether this run placed the order. The provider then has no charge for it yet. */
  isFresh: boolean;
}>;

/**
 * The result of charging a renewal. `waiting`: no charge was started, because the customer or the
 * merchant has to act.
 */
export type RenewalCharge = Readonly<{
  result: ChargeResult | Readonly<{ type: "waiting" }>;
  /** The order, with the payment reference that was charged. */
  details: OrderDetails;
}>;

/**
 * Charges a period with the subscription's payment method. The provider is first asked for the state
 * of an earlier charge, so that a lost response does not lead to a second charge. A declined charge
 * is retried under the reference of this attempt, which is stored first.
 *
 * @throws Refusal CONFLICT when the order was cancelled or changed at the same time.
 */
export async function chargeRenewal(
  ctx: OrderContext,
  period: ChargeablePeriod,
): Promise<RenewalCharge> {
  const { details, subscription, invoice, isFresh } = period;
  const { amountMinor, currency, mismatch, method, reference } = details.payment;
  if (amountMinor === 0) return { result: { type: "captured", amountMinor, currency }, details };
  const provider = ctx.providerFor(method);
  if (mismatch) return { result: { type: "waiting" }, details };
  if (!provider) return { result: { type: "no_answer" }, details };
  const state: VerifyResult = isFresh ? { type: "unknown" } : await provider.verify(reference);
  if (state.type === "captured" || state.type === "no_answer") return { result: state, details };
  const nextReference = await deriveRenewalReference(invoice.id, subscription);
  if (reference !== nextReference && mustChangeMethod(period, state)) {
    return chargeWithChosenMethod(ctx, period, { state, reference: nextReference });
  }
  switch (state.type) {
    case "unknown":
      return { result: await callCharge(provider, period, details), details };
    case "declined":
      return chargeUnderNextReference(ctx, period, { provider, reference: nextReference });
    case "open":
    case "await":
    case "due":
    case "authorization":
    case "redirect":
      return { result: { type: "waiting" }, details };
  }
}

/** Whether the period is to be charged with another method than its order has. */
const mustChangeMethod = (
  { subscription, first, details }: ChargeablePeriod,
  state: VerifyResult,
): boolean =>
  hasRequestedCharge(subscription) ||
  (renewalPaymentOf(subscription, first).method !== details.payment.method &&
    !canStillBeCaptured(state));

const canStillBeCaptured = ({ type }: VerifyResult): boolean =>
  type !== "unknown" && type !== "declined" && type !== "due";

/**
 * Charges the period with the method that the customer chose for it. Money that still arrives for
 * the charge before counts, and a second capture is refunded. Cash takes the place of a charge only
 * when that can no longer be captured, because its provider is not asked about it any more.
 */
async function chargeWithChosenMethod(
  ctx: OrderContext,
  period: ChargeablePeriod,
  { state, reference }: Readonly<{ state: VerifyResult; reference: string }>,
): Promise<RenewalCharge> {
  const { details, subscription, first } = period;
  const { method } = renewalPaymentOf(subscription, first);
  const provider = ctx.providerFor(method);
  if (!provider || (provider.collectedBy === "business" && canStillBeCaptured(state))) {
    return { result: { type: "waiting" }, details };
  }
  const changed = await changeOrderPayment(ctx, details, { method, provider, reference });
  if (changed.payment.reference !== reference) {
    return { result: { type: "waiting" }, details: changed };
  }
  return { result: await callCharge(provider, period, changed), details: changed };
}

type NextCharge = Readonly<{ provider: PaymentProvider; reference: string }>;

/**
 * Retries a declined charge under this attempt's reference, unless that one was declined already.
 */
async function chargeUnderNextReference(
  ctx: OrderContext,
  period: ChargeablePeriod,
  { provider, reference }: NextCharge,
): Promise<RenewalCharge> {
  const { details } = period;
  if (reference === details.payment.reference) {
    return { result: { type: "declined", reason: "The provider refused it." }, details };
  }
  const orderId = details.order.id;
  await extendPaymentDeadline(ctx, { orderId, expiresAt: ctx.now(), reference });
  const latest = await orderRepo(ctx).get(orderId);
  const { payment } = latest;
  if (isSettled(payment) || payment.reference !== reference) {
    return { result: { type: "waiting" }, details: latest };
  }
  return { result: await callCharge(provider, period, latest), details: latest };
}

/** Charges the payer again; for a card that no charge authorizes yet, opens the provider's page. */
async function callCharge(
  provider: PaymentProvider,
  { subscription, first }: ChargeablePeriod,
  { order, payment }: OrderDetails,
): Promise<RenewalCharge["result"]> {
  const { mobileMoney, earlierReference, page } = renewalPaymentOf(subscription, first);
  const request = {
    reference: payment.reference,
    orderId: order.id,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    email: order.customerEmail,
    mobileMoney,
  };
  if (!provider.chargeAgain) return { type: "waiting" };
  if (mobileMoney === null && earlierReference === null && page !== null) {
    const returnUrls = returnUrlsOf(page.returnUrls, { orderId: order.id, billToken: null });
    return provider.charge({ ...request, ...page, returnUrls });
  }
  return provider.chargeAgain({
    ...request,
    earlierReference: earlierReference ?? subscription.lastReference,
  });
}
