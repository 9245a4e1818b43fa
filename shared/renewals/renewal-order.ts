import { defaultLocation } from "../businesses/index.ts";
import { canonicalJson } from "../kernel/index.ts";
import type { Order, OrderContext, OrderDetails, OrderLine } from "../orders/index.ts";
import type { Payment } from "../payments/index.ts";
import { totalsOf } from "../pricing/index.ts";
import {
  type Invoice,
  nextPeriod,
  renewalPrice,
  type Subscription,
  type SubscriptionItem,
} from "../subscriptions/index.ts";
import {
  deriveRenewalReference,
  type RenewalSource,
  type RoutedRenewal,
  routeRenewal,
} from "./renewal-payment.ts";

/** The records of a renewal, to be stored in one batch. */
export type PlannedRenewal = Readonly<{ order: Order; payment: Payment; invoice: Invoice }>;

type RenewalTaxes = Parameters<typeof renewalPrice>[1];

/**
 * Plans the next period: an order like the first one, at the subscribed price with current tax, in
 * the business's currency and without deals, paid with the subscription's method.
 */
export async function planRenewal(
  ctx: OrderContext,
  subscription: Subscription,
  {
    first,
    lastProvider,
    taxes,
  }: Omit<RenewalSource, "subscription"> & Readonly<{ taxes: RenewalTaxes }>,
): Promise<PlannedRenewal> {
  const routed = routeRenewal(ctx, { subscription, first, lastProvider });
  const order = renewalOrder(ctx, subscription, { ...first, routed, taxes });
  const invoice = renewalInvoice(ctx, subscription, order);
  const reference = await deriveRenewalReference(invoice.id, subscription);
  return {
    order,
    invoice,
    payment: renewalPayment(ctx, order, { first: first.payment, routed, reference }),
  };
}

function renewalOrder(
  ctx: OrderContext,
  subscription: Subscription,
  {
    order,
    routed: { method, provider },
    taxes,
  }: Pick<OrderDetails, "order"> & Readonly<{ routed: RoutedRenewal; taxes: RenewalTaxes }>,
): Order {
  const at = ctx.now();
  const { business } = ctx;
  const price = renewalPrice(subscription, taxes);
  const isByHand = provider?.collectedBy === "business";
  const isPaidToBusiness = isByHand && price.totalPriceMinor > 0;
  const location = business.locations.find(({ id }) => id === order.locationId);
  return {
    ...order,
    ...totalsOf(price),
    deliveryTotalMinor: price.deliveryTotalMinor,
    delivery: null,
    taxLines: price.taxLines,
    tax: business.settings.tax,
    id: ctx.newId("ord"),
    orderNumber: "",
    status: "pending",
    lines: subscription.items.map((item, index) => ({
      ...renewalLine(ctx, subscription, item),
      taxMinor: price.lineTaxMinor[index] ?? 0,
      exemptedTaxMinor: price.lineExemptedTaxMinor[index] ?? 0,
      details: order.lines.find((line) => isLineOf(item, line))?.details ?? null,
    })),
    discounts: [],
    currency: subscription.currency,
    paymentStatus: isPaidToBusiness ? "pending" : "processing",
    paymentMethod: method,
    locationId: (location ?? defaultLocation(business)).id,
    metadata: { subscription_id: subscription.id },
    tags: [],
    statusHistory: [{ status: "pending", at, by: "system" }],
    cancelledAt: null,
    cancellationReason: null,
    // The order does not expire, because the subscription's payment attempts decide when to cancel
    // it.
    expiresAt: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}

function renewalInvoice(ctx: OrderContext, subscription: Subscription, order: Order): Invoice {
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

const renewalPayment = (
  ctx: OrderContext,
  order: Order,
  {
    first,
    routed,
    reference,
  }: Readonly<{ first: Payment; routed: RoutedRenewal; reference: string }>,
): Payment => ({
  id: ctx.newId("pt"),
  orderId: order.id,
  // The session of the first checkout may authorize this payment too.
  sessionId: first.sessionId,
  reference,
  provider: routed.provider?.name ?? first.provider,
  method: order.paymentMethod,
  status: order.paymentStatus,
  amountMinor: order.totalPriceMinor,
  currency: order.currency,
  nextAction: { type: "none" },
  failedAttempts: 0,
  settledAt: null,
  receipt: null,
  mismatch: null,
  dispute: null,
  createdAt: order.createdAt,
  updatedAt: order.createdAt,
  version: 1,
});

/** Whether the line of the first order is the one that the item renews. */
const isLineOf = (item: SubscriptionItem, { subscription }: OrderLine): boolean =>
  subscription?.type === "new" &&
  canonicalJson(subscription.configuration) === canonicalJson(item.configuration);

const renewalLine = (
  { newId }: OrderContext,
  { id: subscriptionId, plan }: Subscription,
  { configuration, ...item }: SubscriptionItem,
): Omit<OrderLine, "details" | "taxMinor" | "exemptedTaxMinor"> => ({
  ...item,
  id: newId("li"),
  priceParts: [{ name: plan.name, amountMinor: item.unitPriceMinor }],
  addOnOptionIds: configuration.addOnOptionIds,
  specialInstructions: configuration.specialInstructions,
  choices: null, // a renewal has no cart that its lines could go back to
  subscription: { type: "renewal", subscriptionId },
  // `placeRenewal` replaces both by the product's, which it reads later.
  requiresShipping: true,
  stockPerUnit: null,
});
