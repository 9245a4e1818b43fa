import { keepWaiting, type OrderContext, orderRepo, type PaidOrder } from "../orders/index.ts";
import {
  type ChargeResult,
  isSettled,
  type PaymentProvider,
  type VerifyResult,
} from "../payments/index.ts";
import type { Invoice, Subscription } from "../subscriptions/index.ts";
import { referenceOf } from "./reference.ts";

/** A period whose order stands and is to be paid. */
export type PlacedPeriod = Readonly<{
  subscription: Subscription;
  invoice: Invoice;
  paid: PaidOrder;
  /** The order that began the subscription. */
  first: PaidOrder;
  /** It was placed a moment ago: no provider can have heard of it. */
  isFresh: boolean;
}>;

/** waiting: it is with the customer, or the merchant, to pay; nobody is asked anew. */
export type Charged = Readonly<{
  result: ChargeResult | Readonly<{ type: "waiting" }>;
  /** The order as it stands after its reference was settled. */
  paid: PaidOrder;
}>;

/**
 * Asks for a period's money, as it was paid for before. The provider is first asked how an earlier
 * charge stands, so that a lost answer is never a second charge; one that it refused is tried again
 * under the reference of this try, which is stored before it is asked for.
 *
 * @throws Refusal CONFLICT when the order was cancelled, or changes at this moment.
 */
export async function chargeRenewal(ctx: OrderContext, period: PlacedPeriod): Promise<Charged> {
  const { paid, isFresh } = period;
  const { amountMinor, currency, mismatch, method, reference } = paid.payment;
  if (amountMinor === 0) return { result: { type: "captured", amountMinor, currency }, paid };
  const provider = ctx.providerFor(method);
  if (!provider?.chargeAgain || mismatch) return { result: { type: "waiting" }, paid };
  const known: VerifyResult = isFresh ? { type: "unknown" } : await provider.verify(reference);
  switch (known.type) {
    case "captured":
    case "no_answer":
      return { result: known, paid };
    case "unknown":
      return { result: await charged(provider, period, paid), paid };
    case "declined":
      return chargedAnew(ctx, { ...period, provider });
    case "open":
    case "await":
    case "due":
    case "authorization":
    case "redirect":
      return { result: { type: "waiting" }, paid };
  }
}

/** A refused charge under the reference of this try; it may be this try's that was refused already. */
async function chargedAnew(
  ctx: OrderContext,
  { provider, ...period }: PlacedPeriod & Readonly<{ provider: PaymentProvider }>,
): Promise<Charged> {
  const { subscription, invoice, paid } = period;
  const reference = await referenceOf(invoice.id, subscription.attempts + 1);
  if (reference === paid.payment.reference) {
    return { result: { type: "declined", reason: "The provider refused it." }, paid };
  }
  const orderId = paid.order.id;
  await keepWaiting(ctx, { orderId, until: ctx.now(), reference });
  const waiting = await orderRepo(ctx).get(orderId);
  const { payment } = waiting;
  if (isSettled(payment) || payment.reference !== reference) {
    return { result: { type: "waiting" }, paid: waiting };
  }
  return { result: await charged(provider, period, waiting), paid: waiting };
}

async function charged(
  provider: PaymentProvider,
  { subscription, first }: PlacedPeriod,
  { order, payment }: PaidOrder,
): Promise<ChargeResult> {
  const result = await provider.chargeAgain?.({
    reference: payment.reference,
    orderId: order.id,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    email: order.customerEmail,
    mobileMoney: mobileMoneyOf(subscription, first),
    earlierReference: subscription.lastReference,
  });
  return result ?? { type: "no_answer" };
}

/** The phone that paid for the line which began the subscription; null for a card. */
function mobileMoneyOf({ orderLineId }: Subscription, { order }: PaidOrder) {
  const began = order.lines.find(({ id }) => id === orderLineId)?.subscription;
  return began?.type === "new" ? began.mobileMoney : null;
}
