import {
  extendPaymentDeadline,
  type OrderContext,
  type OrderDetails,
  orderRepo,
} from "../orders/index.ts";
import {
  type ChargeResult,
  isSettled,
  type PaymentProvider,
  type VerifyResult,
} from "../payments/index.ts";
import type { Invoice, Subscription } from "../subscriptions/index.ts";
import { deriveRenewalReference } from "./renewal-reference.ts";

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
 * Charges a period with the payment method of the first order. An earlier charge is verified first,
 * because its response may have been lost. After a declined charge, a new reference is stored and
 * charged.
 *
 * @throws Refusal CONFLICT when the order was cancelled or changed at the same time.
 */
export async function chargeRenewal(
  ctx: OrderContext,
  period: ChargeablePeriod,
): Promise<RenewalCharge> {
  const { details, isFresh } = period;
  const { amountMinor, currency, mismatch, method, reference } = details.payment;
  if (amountMinor === 0) return { result: { type: "captured", amountMinor, currency }, details };
  const provider = ctx.providerFor(method);
  if (!provider?.chargeAgain || mismatch) return { result: { type: "waiting" }, details };
  const state: VerifyResult = isFresh ? { type: "unknown" } : await provider.verify(reference);
  switch (state.type) {
    case "captured":
    case "no_answer":
      return { result: state, details };
    case "unknown":
      return { result: await callChargeAgain(provider, period, details), details };
    case "declined":
      return chargeUnderNextReference(ctx, { ...period, provider });
    case "open":
    case "await":
    case "due":
    case "authorization":
    case "redirect":
      return { result: { type: "waiting" }, details };
  }
}

/**
 * Charges again after a declined charge, with the reference of this attempt. If that reference
 * itself was declined, the result is "declined".
 */
async function chargeUnderNextReference(
  ctx: OrderContext,
  { provider, ...period }: ChargeablePeriod & Readonly<{ provider: PaymentProvider }>,
): Promise<RenewalCharge> {
  const { subscription, invoice, details } = period;
  const reference = await deriveRenewalReference(invoice.id, subscription.attempts + 1);
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
  return { result: await callChargeAgain(provider, period, latest), details: latest };
}

async function callChargeAgain(
  provider: PaymentProvider,
  { subscription, first }: ChargeablePeriod,
  { order, payment }: OrderDetails,
): Promise<ChargeResult> {
  const result = await provider.chargeAgain?.({
    reference: payment.reference,
    orderId: order.id,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    email: order.customerEmail,
    mobileMoney: findMobileMoney(subscription, first),
    earlierReference: subscription.lastReference,
  });
  return result ?? { type: "no_answer" };
}

/** The mobile-money account that paid for the first period; null for a card. */
function findMobileMoney({ orderLineId }: Subscription, { order }: OrderDetails) {
  const started = order.lines.find(({ id }) => id === orderLineId)?.subscription;
  return started?.type === "new" ? started.mobileMoney : null;
}
