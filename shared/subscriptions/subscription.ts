import type { BillingPlan } from "../catalogue/index.ts";
import { calculateCartTotals, type LineConfiguration, type TaxRule } from "../pricing/index.ts";
import { paymentRetryAt } from "./dunning.ts";
import { type Cadence, periodBoundary, periodNumberAt } from "./period.ts";

/**
 * The statuses in the database. "trialing" is computed when a subscription is read. "expired" is
 * never set: plans have no end, and unpaid subscriptions are cancelled.
 */
export const storedStatuses = ["active", "paused", "past_due", "cancelled", "expired"] as const;
type StoredStatus = (typeof storedStatuses)[number];

export const subscriptionStatuses = ["trialing", ...storedStatuses] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** An item that every period delivers, with the choices and the price of the first order. */
export type SubscriptionItem = Readonly<{
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  configuration: LineConfiguration;
}>;

/** The plan as it was when the subscription started. Later changes of the plan do not apply. */
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
    /** The number of the next period to pay. Skipped periods make this more than `cycle` + 1. */
    nextCycle: number;
    /** When the subscription ends or ended after a cancellation; null while no end is planned. */
    endsAt: number | null;
    /** How often the payment of the next period has failed, and when it last failed. */
    attempts: number;
    failedAt: number | null;
    failureReason: string | null;
    /**
     * Since when the provider has been silent about a payment; null when no response is missing.
     */
    unansweredSince: number | null;
    cancelledAt: number | null;
    cancellationReason: string | null;
    /** The key of the last request that skipped a renewal, to recognise its repeat. */
    skipKey: string | null;
    /** When the job next works on the subscription; null when it has nothing to do. */
    dueAt: number | null;
    createdAt: number;
    updatedAt: number;
    /**
     * Raised by every change. Of two concurrent changes to the same version, only one is committed.
     */
    version: number;
  }>;

type BillingPeriod = Readonly<{ start: number; end: number }>;

type SubscriptionTimes = Pick<Subscription, "status" | "anchorAt" | "endsAt" | "cancelledAt">;

/**
 * The status that the API shows. "trialing" applies before the first paid period. "cancelled"
 * applies from the planned end on, even if the job has not run yet.
 */
export function statusOf(subscription: SubscriptionTimes, now: number): SubscriptionStatus {
  const { status, anchorAt } = subscription;
  if (hasReachedEnd(subscription, now)) return "cancelled";
  return status === "active" && now < anchorAt ? "trialing" : status;
}

/** When the subscription ended; null while it has not ended. */
export const effectiveCancelledAt = (
  subscription: SubscriptionTimes,
  now: number,
): number | null =>
  hasReachedEnd(subscription, now) ? subscription.endsAt : subscription.cancelledAt;

/** Whether the stored status is final. */
export const hasEnded = ({ status }: Pick<Subscription, "status">): boolean =>
  status === "cancelled" || status === "expired";

/**
 * Whether the planned end has passed while the stored status is not final yet. The job will cancel
 * the subscription.
 */
export const hasReachedEnd = (subscription: SubscriptionTimes, now: number): boolean =>
  !hasEnded(subscription) && subscription.endsAt !== null && subscription.endsAt <= now;

/** The n-th period. The first period also includes the trial days. */
export const periodOf = (subscription: Subscription, n: number): BillingPeriod => ({
  start: n === 1 ? subscription.startedAt : periodBoundary(subscription, n - 1),
  end: periodBoundary(subscription, n),
});

/**
 * The number of the current period, or of the last one after the end. Skipped periods count too.
 */
export function currentPeriodNumber(subscription: Subscription, now: number): number {
  const { cycle, nextCycle, endsAt } = subscription;
  if (nextCycle === cycle + 1) return cycle;
  const running = periodNumberAt(subscription, endsAt === null ? now : Math.min(now, endsAt - 1));
  return Math.min(Math.max(running, cycle), nextCycle - 1);
}

export const currentPeriod = (subscription: Subscription, now: number): BillingPeriod =>
  periodOf(subscription, currentPeriodNumber(subscription, now));

/** When the next period begins, which is also when it is charged. */
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

/** When the job next has to end or charge the subscription; null when it has nothing to do. */
const nextRunAt = (subscription: Subscription): number | null =>
  hasEnded(subscription) ? null : (subscription.endsAt ?? nextChargeAt(subscription));

/** Raises the version and changes nothing else, so that a concurrent change fails. */
export const withVersionRaised = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  updatedAt: now,
  version: subscription.version + 1,
});

/**
 * The next version of a changed subscription. The job is scheduled for the subscription's next end
 * or charge.
 */
export const nextVersion = (subscription: Subscription, now: number): Subscription => ({
  ...withVersionRaised(subscription, now),
  unansweredSince: null,
  dueAt: nextRunAt(subscription),
});

/**
 * The next version like `nextVersion`, but with the job due now, because it may have to cancel a
 * renewal that has begun.
 */
export const nextVersionDueNow = (subscription: Subscription, now: number): Subscription => ({
  ...nextVersion(subscription, now),
  dueAt: now,
});

/** What a renewal costs before tax: the subscribed price of all items. */
export const renewalAmountMinor = ({ items }: Pick<Subscription, "items">): number =>
  items.reduce((sum, { unitPriceMinor, quantity }) => sum + unitPriceMinor * quantity, 0);

/** The totals of a renewal, with the business's current tax. */
export const renewalTotals = ({ items }: Pick<Subscription, "items">, tax: TaxRule) =>
  calculateCartTotals({ lines: items, discountMinor: 0, tax });
