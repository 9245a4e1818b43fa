import {
  askProvider,
  changeOrderPayment,
  chargeExpiresAt,
  extendPaymentDeadline,
  type OrderContext,
  type OrderDetails,
  orderRepo,
  providerReferenceOf,
} from "../orders/index.ts";
import {
  type ChargeResult,
  findAttempt,
  isSettled,
  type PaymentProvider,
  returnUrlsOf,
  unavailableCharge,
  type VerifyResult,
} from "../payments/index.ts";
import { hasRequestedCharge, type Invoice, type Subscription } from "../subscriptions/index.ts";
import { deriveRenewalReference, routeRenewal } from "./renewal-payment.ts";

/** A billing period with an order that is not paid yet. */
export type ChargeablePeriod = Readonly<{
  subscription: Subscription;
  invoice: Invoice;
  details: OrderDetails;
  /** The order that started the subscription. */
  first: OrderDetails;
  /** The name of the provider that took the subscription's last charge. */
  lastProvider: string;
  /** The provider's own id of the charge that authorizes later ones; null when it has none. */
  lastProviderReference: string | null;
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
  const { amountMinor, currency, mismatch, reference } = details.payment;
  if (amountMinor === 0) return { result: { type: "captured", amountMinor, currency }, details };
  const provider = ctx.providers.byName(details.payment.provider);
  if (mismatch) return { result: { type: "waiting" }, details };
  const state: VerifyResult = isFresh
    ? { type: "unknown" }
    : await askProvider(ctx, details, { reference });
  if (state.type === "captured" || state.type === "no_answer") return { result: state, details };
  const nextReference = await deriveRenewalReference(invoice.id, subscription);
  if (reference !== nextReference && mustChangeProvider(ctx, period, state)) {
    return chargeWithNextProvider(ctx, period, {
      state: await closeCharge(provider, details, state),
      reference: nextReference,
    });
  }
  // A provider whose keys were deleted cannot charge again, and no other one takes the method.
  if (!provider) return { result: unavailableCharge("account"), details };
  switch (state.type) {
    case "unknown":
      return { result: await callCharge(ctx, provider, period, details), details };
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

/** Whether the period is to be charged with another method or provider than its order has. */
function mustChangeProvider(
  ctx: OrderContext,
  period: ChargeablePeriod,
  state: VerifyResult,
): boolean {
  if (hasRequestedCharge(period.subscription)) return true;
  if (canStillBeCaptured(state)) return false;
  const current = period.details.payment;
  const { method, provider } = routeRenewal(ctx, period);
  return method !== current.method || (provider !== null && provider.name !== current.provider);
}

const canStillBeCaptured = ({ type }: VerifyResult): boolean =>
  type !== "unknown" && type !== "declined" && type !== "due";

/** Closes a page on which the charge could still be paid. Returns the state of the charge after that. */
async function closeCharge(
  provider: PaymentProvider | null,
  details: OrderDetails,
  state: VerifyResult,
): Promise<VerifyResult> {
  if (!provider?.voidCharge || !canStillBeCaptured(state)) return state;
  const { reference } = details.payment;
  const providerReference = providerReferenceOf(details, reference);
  return provider.voidCharge(reference, { providerReference });
}

/**
 * Charges the period with the customer's method and its provider. Money that still arrives for the
 * charge before counts, and a second capture is refunded. Cash takes the place of a charge only when
 * that can no longer be captured, because its provider is not asked about it any more.
 */
async function chargeWithNextProvider(
  ctx: OrderContext,
  period: ChargeablePeriod,
  { state, reference }: Readonly<{ state: VerifyResult; reference: string }>,
): Promise<RenewalCharge> {
  const { details } = period;
  if (state.type === "captured" || state.type === "no_answer") return { result: state, details };
  const { method, provider } = routeRenewal(ctx, period);
  if (!provider || (provider.collectedBy === "business" && canStillBeCaptured(state))) {
    return { result: { type: "waiting" }, details };
  }
  const changed = await changeOrderPayment(ctx, details, { method, provider, reference });
  if (changed.payment.reference !== reference) {
    return { result: { type: "waiting" }, details: changed };
  }
  return { result: await callCharge(ctx, provider, period, changed), details: changed };
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
  return { result: await callCharge(ctx, provider, period, latest), details: latest };
}

/** Charges the payer again; for a card that no charge authorizes yet, opens the provider's page. */
async function callCharge(
  ctx: OrderContext,
  provider: PaymentProvider,
  period: ChargeablePeriod,
  { order, payment, attempts }: OrderDetails,
): Promise<RenewalCharge["result"]> {
  const { mobileMoney, page: source, ...routed } = routeRenewal(ctx, period);
  const { subscription, lastProvider, lastProviderReference } = period;
  const isLastProvider = provider.name === lastProvider;
  const earlierReference = isLastProvider ? routed.earlierReference : null;
  const page = source && {
    ...source,
    returnUrls: returnUrlsOf(source.returnUrls, { orderId: order.id, billToken: null }),
  };
  const request = {
    reference: payment.reference,
    orderId: order.id,
    orderNumber: order.orderNumber,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    email: order.customerEmail,
    expiresAt: chargeExpiresAt(findAttempt({ attempts }, payment.reference) ?? payment, order),
    savesPayer: true,
    mobileMoney,
  };
  if (!provider.chargeAgain) return { type: "waiting" };
  if (mobileMoney === null && earlierReference === null && page !== null) {
    return provider.charge({ ...request, ...page, paymentToken: null });
  }
  // Only the provider of the last charge knows the card that it was paid with.
  if (mobileMoney === null && !isLastProvider) return { type: "waiting" };
  return provider.chargeAgain({
    ...request,
    page,
    earlierReference: earlierReference ?? subscription.lastReference,
    earlierProviderReference: isLastProvider ? lastProviderReference : null,
  });
}
