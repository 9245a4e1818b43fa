import type { BillingPlan } from "../catalogue/index.ts";
import type { Context } from "../database/index.ts";
import { addDaysAtLocalTime } from "../kernel/calendar.ts";
import type { LineConfiguration } from "../pricing/index.ts";
import type { Invoice } from "./invoice.ts";
import {
  type PaymentSource,
  periodOf,
  renewalAt,
  type Subscription,
  type SubscriptionItem,
} from "./subscription.ts";

/**
 * What happens to a subscription when an order line is paid: a new subscription starts, or the next
 * period of one is paid. Stored with the line, so that recording the payment needs no other read.
 */
export type LineSubscription =
  | (Readonly<{
      type: "new";
      plan: BillingPlan;
      /**
       * What a unit costs in each later period. Absent in orders of before the field existed, whose
       * payment covers the first period also when the plan has trial days.
       */
      renewalPriceMinor?: number;
      configuration: LineConfiguration;
    }> &
      PaymentSource)
  | Readonly<{ type: "renewal"; subscriptionId: string }>;

/** The fields of an order line that subscriptions need. */
export type SubscriptionOrderLine = Readonly<{
  id: string;
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  /** The line's part of the order's total, after discounts and with tax. */
  totalMinor: number;
  subscription: LineSubscription | null;
}>;

/** An order whose payment has settled. */
export type SettledOrder = Readonly<{
  orderId: string;
  customerId: string | null;
  currency: string;
  lines: readonly SubscriptionOrderLine[];
  reference: string;
}>;

type StartedSubscription = Readonly<{ subscription: Subscription; invoice: Invoice }>;

type SubscribingLine = SubscriptionOrderLine &
  Readonly<{ subscription: Extract<LineSubscription, { type: "new" }> }>;

/**
 * The subscription that a paid order line starts, now. With trial days the first period is the trial
 * and costs nothing; otherwise the payment covers the first period.
 */
export function newSubscription(
  ctx: Pick<Context, "business" | "now" | "newId">,
  order: SettledOrder & Readonly<{ customerId: string }>,
  line: SubscribingLine,
): StartedSubscription {
  const { orderId, currency, reference, customerId } = order;
  const now = ctx.now();
  const { timezone } = ctx.business;
  const { plan, renewalPriceMinor } = line.subscription;
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
      hasFreeTrial: plan.trialDays > 0 && renewalPriceMinor !== undefined,
    },
    items: [toSubscriptionItem(line)],
    currency,
    orderId,
    orderLineId: line.id,
    lastOrderId: orderId,
    lastReference: reference,
    timezone,
    startedAt: now,
    anchorAt: addDaysAtLocalTime(now, plan.trialDays, timezone),
    cycle: 1,
    nextCycle: 2,
    endsAt: null,
    attempts: 0,
    failedAt: null,
    failureReason: null,
    unansweredSince: null,
    cancelledAt: null,
    cancellationReason: null,
    cancelledBy: null,
    payment: null,
    skipKey: null,
    dueAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
  return {
    subscription: { ...subscription, dueAt: renewalAt(subscription) },
    invoice: firstInvoice(subscription, {
      id: ctx.newId("inv"),
      amountMinor: line.totalMinor,
    }),
  };
}

const toSubscriptionItem = (line: SubscribingLine): SubscriptionItem => ({
  productId: line.productId,
  productName: line.productName,
  variantId: line.variantId,
  variantName: line.variantName,
  quantity: line.quantity,
  unitPriceMinor: line.subscription.renewalPriceMinor ?? line.unitPriceMinor,
  configuration: line.subscription.configuration,
});

/** The invoice of the first period, which is paid already; zero for a trial. */
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
