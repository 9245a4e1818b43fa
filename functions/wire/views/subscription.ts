import { z } from "@hono/zod-openapi";
import { planIntervals } from "../../../shared/catalogue/index.ts";
import { formatMoney, iso, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  currentPeriod,
  effectiveCancelledAt,
  type InvoicedSubscription,
  invoiceStatuses,
  isCancelling,
  nextChargeAt,
  renewalAmountMinor,
  type Subscription,
  statusOf,
  subscriptionStatuses,
} from "../../../shared/subscriptions/index.ts";

export const SubscriptionView = z
  .object({
    id: z.string(),
    customer_id: z.string(),
    status: z.enum(subscriptionStatuses),
    billing_plan_id: z.string(),
    current_period_start: z.string(),
    current_period_end: z.string(),
    cancel_at_period_end: z.boolean(),
    amount: z.string().openapi({ example: "12.50" }),
    currency: z.string(),
    /** When the trial ends or has ended. Null when the subscription has no trial. */
    trial_ends_at: z.string().nullable(),
    order_id: z.string(),
    created_at: z.string(),
    cancelled_at: z.string().nullable(),
    cancellation_reason: z.string().nullable(),
  })
  .openapi("Subscription");

const InvoiceView = z.object({
  id: z.string(),
  order_id: z.string(),
  status: z.enum(invoiceStatuses),
  amount_due: z.string(),
  currency: z.string(),
  period_start: z.string(),
  period_end: z.string(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
});

/** What is subscribed to, at the terms that hold as long as the subscription does. */
const termsViewFields = {
  plan: z.object({
    id: z.string(),
    name: z.string(),
    interval: z.enum(planIntervals),
    interval_count: z.number().int(),
    trial_days: z.number().int(),
  }),
  items: z.array(
    z.object({
      product_id: z.string(),
      product_name: z.string(),
      variant_id: z.string().nullable(),
      variant_name: z.string().nullable(),
      quantity: z.number().int(),
      unit_price: z.string(),
    }),
  ),
};

export const SubscriptionListEntryView =
  SubscriptionView.extend(termsViewFields).openapi("SubscriptionListEntry");

export const SubscriptionDetailView = z
  .object({
    subscription: SubscriptionView,
    ...termsViewFields,
    next_invoice: z.object({ scheduled_at: z.string(), amount_due: z.string() }).nullable(),
    recent_invoices: z.array(InvoiceView),
  })
  .openapi("SubscriptionDetail");

type SubscriptionViewTime = Readonly<{ now: number }>;

export function viewSubscription(
  subscription: Subscription,
  { now }: SubscriptionViewTime,
): z.infer<typeof SubscriptionView> {
  const { start, end } = currentPeriod(subscription, now);
  const { plan, currency, anchorAt } = subscription;
  return {
    id: subscription.id,
    customer_id: subscription.customerId,
    status: statusOf(subscription, now),
    billing_plan_id: plan.id,
    current_period_start: iso(start),
    current_period_end: iso(end),
    cancel_at_period_end: isCancelling(subscription, now),
    amount: formatMoney(renewalAmountMinor(subscription), currency),
    currency,
    trial_ends_at: plan.trialDays === 0 ? null : iso(anchorAt),
    order_id: subscription.orderId,
    created_at: iso(subscription.createdAt),
    cancelled_at: isoOrNull(effectiveCancelledAt(subscription, now)),
    cancellation_reason: subscription.cancellationReason,
  };
}

const viewTerms = ({ plan, items, currency }: Subscription) => ({
  plan: {
    id: plan.id,
    name: plan.name,
    interval: plan.interval,
    interval_count: plan.intervalCount,
    trial_days: plan.trialDays,
  },
  items: items.map((item) => ({
    product_id: item.productId,
    product_name: item.productName,
    variant_id: item.variantId,
    variant_name: item.variantName,
    quantity: item.quantity,
    unit_price: formatMoney(item.unitPriceMinor, currency),
  })),
});

export const viewSubscriptionListEntry = (
  subscription: Subscription,
  time: SubscriptionViewTime,
): z.infer<typeof SubscriptionListEntryView> => ({
  ...viewSubscription(subscription, time),
  ...viewTerms(subscription),
});

export function viewSubscriptionDetail(
  { subscription, invoices }: InvoicedSubscription,
  { now, renewalMinor }: SubscriptionViewTime & Readonly<{ renewalMinor: number }>,
): z.infer<typeof SubscriptionDetailView> {
  const chargeAt = nextChargeAt(subscription);
  return {
    subscription: viewSubscription(subscription, { now }),
    ...viewTerms(subscription),
    next_invoice:
      chargeAt === null
        ? null
        : {
            scheduled_at: iso(chargeAt),
            amount_due: formatMoney(renewalMinor, subscription.currency),
          },
    recent_invoices: invoices.map((invoice) => ({
      id: invoice.id,
      order_id: invoice.orderId,
      status: invoice.status,
      amount_due: formatMoney(invoice.amountMinor, invoice.currency),
      currency: invoice.currency,
      period_start: iso(invoice.periodStart),
      period_end: iso(invoice.periodEnd),
      created_at: iso(invoice.createdAt),
      paid_at: isoOrNull(invoice.paidAt),
    })),
  };
}
