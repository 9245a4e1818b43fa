import { type BillingPlan, standardTaxClass } from "../catalogue/index.ts";
import { type LineConfiguration, priceWithDiscounts, type TaxTreatment } from "../pricing/index.ts";
import { paymentRetryAt } from "./dunning.ts";
import { type Cadence, periodBoundary, periodNumberAt } from "./period.ts";

/** The stored statuses; "trialing" depends on the time of reading. */
export const storedStatuses = ["active", "paused", "past_due", "cancelled"] as const;
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

/** The plan as it was when the subscription started; its price stays fixed. */
type SubscribedPlan = Pick<
  BillingPlan,
  "id" | "name" | "interval" | "intervalCount" | "trialDays"
> &
  Pick<Cadence["plan"], "hasFreeTrial">;

/** Where a subscription's payments are collected. */
export type PaymentSource = Readonly<{
  /** The phone that is charged; null for other payment methods. */
  mobileMoney: Readonly<{ phoneNumber: string; provider: string }> | null;
  /** What a provider's page needs to charge a card that is not known yet; null or absent without. */
  page?: Readonly<{
    returnUrls: Readonly<{ success: string | null; cancel: string | null }>;
    /** The public origin of the request that chose the card. */
    origin: string;
  }> | null;
}>;

/** A payment method that the customer chose after the start. */
export type ChosenPayment = PaymentSource &
  Readonly<{
    method: string;
    /** The subscription's version that chose it, which tells its charge from that of another choice. */
    chosenVersion: number;
    /** The last paid reference at that time: a charge with it used the method of before. */
    replacedReference: string;
    /** Since when an unpaid period is to be charged with it; null once that was tried. */
    chargeRequestedAt: number | null;
  }>;

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
    /** Who scheduled its end; null before that, and for an end scheduled before this was stored. */
    cancelledBy: "customer" | "business" | null;
    /** Identifies the request that skipped last, to recognise its repeat. */
    skipKey: string | null;
    /** The payment method that was chosen last; null for that of the first order. */
    payment: ChosenPayment | null;
    /** When the job runs next for it; null when nothing is due. */
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
 * The status that the API shows: trialing before the trial's end, and cancelled as soon as
 * its end has come, even if the job has not run yet.
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
  status === "cancelled";

/**
 * Whether the planned end has passed while the stored status is not final yet. The job will cancel
 * the subscription.
 */
export const hasReachedEnd = (subscription: SubscriptionTimes, now: number): boolean =>
  !hasEnded(subscription) && subscription.endsAt !== null && subscription.endsAt <= now;

/** The n-th period. The first one includes the trial days, or is the trial. */
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
      return subscription.payment?.chargeRequestedAt ?? paymentRetryAt(subscription);
    case "paused":
    case "cancelled":
      return null;
  }
}

/** Whether the customer chose a payment method for an unpaid period, which was not charged with it yet. */
export const hasRequestedCharge = ({ status, payment }: Subscription): boolean =>
  status === "past_due" && payment !== null && payment.chargeRequestedAt !== null;

/** When the job runs next for the subscription, to end or to charge it; null when nothing is due. */
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

/** What all items cost in each later period, before tax. */
export const renewalAmountMinor = ({ items }: Pick<Subscription, "items">): number =>
  items.reduce((sum, { unitPriceMinor, quantity }) => sum + unitPriceMinor * quantity, 0);

/** The price of a renewal at these rates. `taxClasses` has the class of each product. */
export const renewalPrice = (
  { items }: Pick<Subscription, "items">,
  { rates, taxClasses }: Readonly<{ rates: TaxTreatment; taxClasses: ReadonlyMap<string, string> }>,
) =>
  priceWithDiscounts({
    lines: items.map((item) => ({
      ...item,
      taxClass: taxClasses.get(item.productId) ?? standardTaxClass,
    })),
    delivery: null,
    discounts: [],
    tax: rates,
  });
