import { defaultLocation } from "../businesses/index.ts";
import type { Order, OrderContext, OrderLine, PaidOrder } from "../orders/index.ts";
import type { Payment } from "../payments/index.ts";
import {
  type Invoice,
  nextPeriod,
  renewalTotals,
  type Subscription,
  type SubscriptionItem,
} from "../subscriptions/index.ts";
import { referenceOf } from "./reference.ts";

/** The rows of a renewal, before its first effect. */
export type PlannedRenewal = Readonly<{ order: Order; payment: Payment; invoice: Invoice }>;

/**
 * The order of a subscription's next period: like the one that began it, at the price agreed then and
 * the tax of now, in the business's currency and without deals. It is paid as that one was.
 */
export async function plannedRenewal(
  ctx: OrderContext,
  subscription: Subscription,
  first: PaidOrder,
): Promise<PlannedRenewal> {
  const order = orderOf(ctx, subscription, first);
  const invoice = invoiceOf(ctx, subscription, order);
  const reference = await referenceOf(invoice.id, subscription.attempts + 1);
  return { order, invoice, payment: paymentOf(ctx, order, { first: first.payment, reference }) };
}

function orderOf(
  ctx: OrderContext,
  subscription: Subscription,
  { order, payment }: PaidOrder,
): Order {
  const at = ctx.now();
  const { business } = ctx;
  const totals = renewalTotals(subscription, business.settings.tax);
  const isByHand = ctx.providerFor(payment.method)?.takenBy === "business";
  const isHandedOver = isByHand && totals.totalPriceMinor > 0;
  const stillThere = business.locations.find(({ id }) => id === order.locationId);
  return {
    ...order,
    ...totals,
    id: ctx.newId("ord"),
    orderNumber: "",
    status: "pending",
    lines: subscription.items.map((item) => lineOf(ctx, subscription, item)),
    discounts: [],
    currency: subscription.currency,
    paymentStatus: isHandedOver ? "pending" : "processing",
    locationId: (stillThere ?? defaultLocation(business)).id,
    metadata: { subscription_id: subscription.id },
    statusHistory: [{ status: "pending", at, by: "system" }],
    cancelledAt: null,
    cancellationReason: null,
    // How long it is waited for, the subscription's tries decide.
    expiresAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}

function invoiceOf(ctx: OrderContext, subscription: Subscription, order: Order): Invoice {
  const { start, end } = nextPeriod(subscription);
  return {
    id: ctx.newId("inv"),
    subscriptionId: subscription.id,
    cycle: subscription.nextCycle,
    orderId: order.id,
    status: "open",
    amountMinor: order.totalPriceMinor,
    currency: order.currency,
    periodStart: start,
    periodEnd: end,
    createdAt: order.createdAt,
    paidAt: null,
  };
}

const paymentOf = (
  ctx: OrderContext,
  order: Order,
  { first, reference }: Readonly<{ first: Payment; reference: string }>,
): Payment => ({
  id: ctx.newId("pt"),
  orderId: order.id,
  // Whoever checked out may also authorize what is asked for now.
  sessionId: first.sessionId,
  reference,
  provider: first.provider,
  method: first.method,
  status: order.paymentStatus,
  amountMinor: order.totalPriceMinor,
  currency: order.currency,
  nextAction: { type: "none" },
  failedAttempts: 0,
  settledAt: null,
  receipt: null,
  mismatch: null,
  createdAt: order.createdAt,
  updatedAt: order.createdAt,
  version: 1,
});

const lineOf = (
  { newId }: OrderContext,
  { id: subscriptionId, plan }: Subscription,
  { configuration, ...item }: SubscriptionItem,
): OrderLine => ({
  ...item,
  id: newId("li"),
  priceParts: [{ name: plan.name, amountMinor: item.unitPriceMinor }],
  addOnOptionIds: configuration.addOnOptionIds,
  specialInstructions: configuration.specialInstructions,
  subscription: { type: "renewal", subscriptionId },
});
