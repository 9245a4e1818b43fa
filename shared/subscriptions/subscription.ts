import type { BillingPlan } from "../catalogue/index.ts";
import { calculateCartTotals, type LineConfiguration, type TaxRule } from "../pricing/index.ts";
import { paymentRetryAt } from "./dunning.ts";
import { type Cadence, periodBoundary, periodNumberAt } from "./period.ts";

/**
 * The stored statuses; "trialing" depends on the time of reading. Nothing sets "expired": no plan
 * has a fixed number of periods, and unpaid subscriptions are cancelled.
 */
export const storedStatuses = ["active", "paused", "past_due", "cancelled", "expired"] as const;
type StoredStatus = (typeof storedStatuses)[number];

export const subscriptionStatuses = ["trialing", ...storedStatuses] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** An item of every period, as chosen and priced when the subscription started. */
export type SubscriptionItem = Readonly<{
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  configuration: LineConfiguration;
}>;

/** The plan as it was when the subscription started; its price stays fixed. */
type SubscribedPlan = Pick<BillingPlan, "id" | "name" | "interval" | "intervalCount" | "trialDays">;

export type Subscription = Cadence &
  Readonly<{
    id: string;
    customerId: string;
    status: StoredStatus;
    plan: SubscribedPlan;
    items: readonly SubscriptionItem[];
    currency: string;
    /** The order and order line whose payment started the subscription. */
    orderId: string;
    orderLineId: string;
    /** The order and payment reference of the last paid period. */
    lastOrderId: string;
    lastReference: string;
    startedAt: number;
    /** The number of the last paid period; the first is 1. */
    cycle: number;
    /** The number of the next period to pay; more than `cycle` + 1 when some are skipped. */
    nextCycle: number;
    /** When it ends or ended after a cancellation; null before. */
    endsAt: number | null;
    /** How often the next period's payment has failed, and when it last did. */
    attempts: number;
    failedAt: number | null;
    failureReason: string | null;
    /** Since when the provider has not responded about a payment; null when it does. */
    unansweredSince: number | null;
    cancelledAt: number | null;
    cancellationReason: string | null;
    /** Identifies the request that skipped last, to recognise its repeat. */
    skipKey: string | null;
    /** When the job runs next for it; null when nothing is due. */
    dueAt: number | null;
    createdAt: number;
    updatedAt: number;
    /** Raised by every change. Of two changes to one version only one commits. */
    version: number;
  }>;

type BillingPeriod = Readonly<{ start: number; end: number }>;

type SubscriptionTimes = Pick<Subscription, "status" | "anchorAt" | "endsAt" | "cancelledAt">;

/**
 * The status that the API shows: trialing before the first paid period, and cancelled as soon as
 * its end has come, even if the job has not run yet.
 */
export function statusOf(subscription: SubscriptionTimes, now: number): SubscriptionStatus {
  const { status, anchorAt } = subscription;
  if (hasReachedEnd(subscription, now)) return "cancelled";
  return status === "active" && now < anchorAt ? "trialing" : status;
}

/** When the subscription ended; null while it runs. */
export const effectiveCancelledAt = (
  subscription: SubscriptionTimes,
  now: number,
): number | null =>
  hasReachedEnd(subscription, now) ? subscription.endsAt : subscription.cancelledAt;

/** Whether the subscription's stored status is final. */
export const hasEnded = ({ status }: Pick<Subscription, "status">): boolean =>
  status === "cancelled" || status === "expired";

/** Whether its end has come, but the job has not ended it yet. */
export const hasReachedEnd = (subscription: SubscriptionTimes, now: number): boolean =>
  !hasEnded(subscription) && subscription.endsAt !== null && subscription.endsAt <= now;

/** The n-th period. The first one includes the trial days before it. */
export const periodOf = (subscription: Subscription, n: number): BillingPeriod => ({
  start: n === 1 ? subscription.startedAt : periodBoundary(subscription, n - 1),
  end: periodBoundary(subscription, n),
});

/** The number of the current or last period: the last paid one, or a skipped one after it. */
export function currentPeriodNumber(subscription: Subscription, now: number): number {
  const { cycle, nextCycle, endsAt } = subscription;
  if (nextCycle === cycle + 1) return cycle;
  const running = periodNumberAt(subscription, endsAt === null ? now : Math.min(now, endsAt - 1));
  return Math.min(Math.max(running, cycle), nextCycle - 1);
}

export const currentPeriod = (subscription: Subscription, now: number): BillingPeriod =>
  periodOf(subscription, currentPeriodNumber(subscription, now));

/** When the next period is charged: when it begins. */
export const renewalAt = (subscription: Subscription): number =>
  periodBoundary(subscription, subscription.nextCycle - 1);

/** When the customer is charged next; null when no charge is planned. */
export function nextChargeAt(subscription: Subscription): number | null {
  if (subscription.endsAt !== null) return null;
  switch (subscription.status) {
    case "active":
      return renewalAt(subscription);
    case "past_due":
      return paymentRetryAt(subscription);
    case "paused":
    case "cancelled":
    case "expired":
      return null;
  }
}

/** When the job runs next for the subscription, to end or to charge it; null when nothing is due. */
const nextRunAt = (subscription: Subscription): number | null =>
  hasEnded(subscription) ? null : (subscription.endsAt ?? nextChargeAt(subscription));

/** Raises the version only, so that a concurrent change of the same version fails. */
export const withVersionRaised = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  updatedAt: now,
  version: subscription.version + 1,
});

/** The changed subscription's next version, with the job scheduled for its next run. */
export const nextVersion = (subscription: Subscription, now: number): Subscription => ({
  ...withVersionRaised(subscription, now),
  unansweredSince: null,
  dueAt: nextRunAt(subscription),
});

/** As `nextVersion`, with the job due immediately: a renewal in progress may have to be cancelled. */
export const nextVersionDueNow = (subscription: Subscription, now: number): Subscription => ({
  ...nextVersion(subscription, now),
  dueAt: now,
});

/** The plan's price for all items, before tax. */
export const renewalAmountMinor = ({ items }: Pick<Subscription, "items">): number =>
  items.reduce((sum, { unitPriceMinor, quantity }) => sum + unitPriceMinor * quantity, 0);

/** The totals of a renewal at the business's current tax. */
export const renewalTotals = ({ items }: Pick<Subscription, "items">, tax: TaxRule) =>
  calculateCartTotals({ lines: items, discountMinor: 0, tax });
