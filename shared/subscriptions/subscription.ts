import type { BillingPlan } from "../catalogue/index.ts";
import { day } from "../kernel/index.ts";
import { cartTotals, type LineConfiguration, type TaxRule } from "../pricing/index.ts";
import { boundary, type Cadence, cycleAt } from "./period.ts";

/**
 * As it is kept: that a trial runs is a matter of the hour. Nothing leads to expired: no plan is for a
 * number of periods, and what is not paid is cancelled (completions.md 7).
 */
export const keptStatuses = ["active", "paused", "past_due", "cancelled", "expired"] as const;
type KeptStatus = (typeof keptStatuses)[number];

export const subscriptionStatuses = ["trialing", ...keptStatuses] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** What is delivered every period, as it was chosen and priced when the subscription began. */
export type SubscriptionItem = Readonly<{
  productId: string;
  productName: string;
  variantId: string | null;
  variantName: string | null;
  quantity: number;
  unitPriceMinor: number;
  configuration: LineConfiguration;
}>;

/** The plan as it was when the subscription began: its price holds as long as the subscription does. */
export type SubscribedPlan = Pick<
  BillingPlan,
  "id" | "name" | "interval" | "intervalCount" | "trialDays"
>;

export type Subscription = Cadence &
  Readonly<{
    id: string;
    customerId: string;
    status: KeptStatus;
    plan: SubscribedPlan;
    items: readonly SubscriptionItem[];
    currency: string;
    /** The order, and its line, whose payment began it. */
    orderId: string;
    orderLineId: string;
    /** The order of the last period that was paid for, and the reference it was paid under. */
    lastOrderId: string;
    lastReference: string;
    startedAt: number;
    /** The last period that was paid for; the first is 1. */
    cycle: number;
    /** The next period that is to be paid for: later than the one after `cycle` where some are skipped. */
    nextCycle: number;
    /** When it is to end, once it was cancelled; null before. */
    endsAt: number | null;
    /** How often the next period's payment has failed, and when it last did. */
    attempts: number;
    failedAt: number | null;
    failureReason: string | null;
    /** Since when the provider has been asked how a payment stands without an answer; null: it answers. */
    askedAt: number | null;
    cancelledAt: number | null;
    cancellationReason: string | null;
    /** The request that skipped last (`requestKeyOf`), by which its repeat is known. */
    skipKey: string | null;
    /** When the job has to look after it; null while there is nothing to be done. */
    dueAt: number | null;
    createdAt: number;
    updatedAt: number;
    /** Raised by every change; two changes from one version: exactly one commits. */
    version: number;
  }>;

export type Period = Readonly<{ start: number; end: number }>;

type Standing = Pick<Subscription, "status" | "anchorAt" | "endsAt" | "cancelledAt">;

/**
 * The status that callers read: a trial is the time before the first paid period, and what was to end
 * is over from then on, whenever the job comes to it.
 */
export function statusOf(subscription: Standing, now: number): SubscriptionStatus {
  const { status, anchorAt } = subscription;
  if (hasRunOut(subscription, now)) return "cancelled";
  return status === "active" && now < anchorAt ? "trialing" : status;
}

/** When it was over, should it be; null before. */
export const cancelledAtOf = (subscription: Standing, now: number): number | null =>
  hasRunOut(subscription, now) ? subscription.endsAt : subscription.cancelledAt;

/** Whether it is over for good. */
export const isOver = ({ status }: Pick<Subscription, "status">): boolean =>
  status === "cancelled" || status === "expired";

/** Whether its end has come, and the job has not come to it yet. */
export const hasRunOut = (subscription: Standing, now: number): boolean =>
  !isOver(subscription) && subscription.endsAt !== null && subscription.endsAt <= now;

/** The n-th period; the first has the trial in front, so that what was paid for it is had in full. */
export const periodOf = (subscription: Subscription, n: number): Period => ({
  start: n === 1 ? subscription.startedAt : boundary(subscription, n - 1),
  end: boundary(subscription, n),
});

/** The period that runs, or ran last: the last that was paid for, or one of those that are skipped after it. */
export function currentCycle(subscription: Subscription, now: number): number {
  const { cycle, nextCycle, endsAt } = subscription;
  if (nextCycle === cycle + 1) return cycle;
  const running = cycleAt(subscription, endsAt === null ? now : Math.min(now, endsAt - 1));
  return Math.min(Math.max(running, cycle), nextCycle - 1);
}

export const currentPeriod = (subscription: Subscription, now: number): Period =>
  periodOf(subscription, currentCycle(subscription, now));

/** When the next period is to be paid for: at its beginning. */
export const renewalAt = (subscription: Subscription): number =>
  boundary(subscription, subscription.nextCycle - 1);

/** From each failure to the next try: 1, 3 and 5 days after the first (completions.md 7). */
const retryGaps: readonly number[] = [1 * day, 2 * day, 2 * day];

/** How often a period's payment may fail; then the subscription is over. */
export const maxAttempts = retryGaps.length + 1;

/** When a payment that failed is tried again. */
const retryAt = ({ attempts, failedAt }: Subscription): number =>
  (failedAt ?? 0) + (retryGaps[attempts - 1] ?? 0);

/** When the customer is charged next; null where that will not happen as things stand. */
export function nextChargeAt(subscription: Subscription): number | null {
  if (subscription.endsAt !== null) return null;
  switch (subscription.status) {
    case "active":
      return renewalAt(subscription);
    case "past_due":
      return retryAt(subscription);
    case "paused":
    case "cancelled":
    case "expired":
      return null;
  }
}

/** The plan's price for all pieces, before tax. */
export const amountOf = ({ items }: Pick<Subscription, "items">): number =>
  items.reduce((sum, { unitPriceMinor, quantity }) => sum + unitPriceMinor * quantity, 0);

/** What a renewal costs at the business's tax of now. */
export const renewalTotals = ({ items }: Pick<Subscription, "items">, tax: TaxRule) =>
  cartTotals({ lines: items, discountMinor: 0, tax });
