import type { Context } from "../database/index.ts";
import { cartTotals, type Discount, type TaxRule } from "../pricing/index.ts";
import type { Invoice } from "./invoice.ts";
import type { LineSubscription } from "./line.ts";
import { daysLater } from "./period.ts";
import { periodOf, renewalAt, type Subscription, type SubscriptionItem } from "./subscription.ts";

/** An order line as subscriptions see it. */
export type PlannedLine = Readonly<{
  id: string;
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  subscription: LineSubscription | null;
}>;

/** An order whose payment has settled. */
export type SettledOrder = Readonly<{
  orderId: string;
  customerId: string | null;
  currency: string;
  lines: readonly PlannedLine[];
  discounts: readonly Discount[];
  tax: TaxRule;
  reference: string;
}>;

type Begun = Readonly<{ subscription: Subscription; invoice: Invoice }>;

type NewLine = PlannedLine & Readonly<{ subscription: Extract<LineSubscription, { type: "new" }> }>;

/**
 * The subscription that a line begins, once its order is paid: at that moment (completions.md 7). The
 * payment is for the first period; a trial's days come in front of it, and belong to it.
 */
export function begun(
  ctx: Pick<Context, "business" | "now" | "newId">,
  order: SettledOrder & Readonly<{ customerId: string }>,
  line: NewLine,
): Begun {
  const { orderId, currency, reference, customerId } = order;
  const now = ctx.now();
  const { timezone } = ctx.business;
  const { plan } = line.subscription;
  const subscription: Subscription = {
    id: ctx.newId("sub"),
    customerId,
    status: "active",
    plan: {
      id: plan.id,
      name: plan.name,
      interval: plan.interval,
      intervalCount: plan.intervalCount,
      trialDays: plan.trialDays,
    },
    items: [itemOf(line)],
    currency,
    orderId,
    orderLineId: line.id,
    lastOrderId: orderId,
    lastReference: reference,
    timezone,
    startedAt: now,
    anchorAt: daysLater(now, plan.trialDays, timezone),
    cycle: 1,
    nextCycle: 2,
    endsAt: null,
    attempts: 0,
    failedAt: null,
    failureReason: null,
    askedAt: null,
    cancelledAt: null,
    cancellationReason: null,
    skipKey: null,
    dueAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  return {
    subscription: { ...subscription, dueAt: renewalAt(subscription) },
    invoice: firstInvoice(subscription, { id: ctx.newId("inv"), amountMinor: costOf(order, line) }),
  };
}

const itemOf = (line: NewLine): SubscriptionItem => ({
  productId: line.productId,
  productName: line.productName,
  variantId: line.variantId,
  variantName: line.variantName,
  quantity: line.quantity,
  unitPriceMinor: line.unitPriceMinor,
  configuration: line.subscription.configuration,
});

/** Paid as the subscription begins. */
function firstInvoice(
  subscription: Subscription,
  { id, amountMinor }: Pick<Invoice, "id" | "amountMinor">,
): Invoice {
  const { id: subscriptionId, orderId, currency, startedAt } = subscription;
  const { start, end } = periodOf(subscription, 1);
  return {
    id,
    subscriptionId,
    cycle: 1,
    orderId,
    status: "paid",
    amountMinor,
    currency,
    periodStart: start,
    periodEnd: end,
    createdAt: startedAt,
    paidAt: startedAt,
  };
}

/** What a line cost of its order: without what deals took off it, and with its tax. */
function costOf({ lines, discounts, tax }: SettledOrder, line: NewLine): number {
  const index = lines.findIndex(({ id }) => id === line.id);
  const discountMinor = discounts.reduce((sum, { shares }) => sum + (shares[index] ?? 0), 0);
  return cartTotals({ lines: [line], discountMinor, tax }).totalPriceMinor;
}
