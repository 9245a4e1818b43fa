import { hour } from "../kernel/index.ts";
import { maxPaymentAttempts, providerRetryAt } from "./dunning.ts";
import { periodNumberAt } from "./period.ts";
import {
  effectiveCancelledAt,
  hasEnded,
  hasReachedEnd,
  hasRequestedCharge,
  nextChargeAt,
  nextVersion,
  nextVersionDueNow,
  periodOf,
  type Subscription,
  withVersionRaised,
} from "./subscription.ts";

type PaidPeriod = Readonly<{ cycle: number; orderId: string; reference: string; now: number }>;

/**
 * The subscription after the payment of a period. The next charge is due at the end of that period.
 * A paused or ended subscription keeps its status.
 */
export function withPeriodPaid(
  subscription: Subscription,
  { cycle, orderId, reference, now }: PaidPeriod,
): Subscription {
  const isPastDue = subscription.status === "past_due";
  return nextVersion(
    {
      ...subscription,
      status: isPastDue ? "active" : subscription.status,
      lastOrderId: orderId,
      lastReference: reference,
      cycle: Math.max(subscription.cycle, cycle),
      nextCycle: Math.max(subscription.nextCycle, cycle + 1),
      payment: withChargeTried(subscription.payment),
      ...noFailures,
    },
    now,
  );
}

/** The payment method after the charge that its choice asked for. */
const withChargeTried = (payment: Subscription["payment"]): Subscription["payment"] =>
  payment && { ...payment, chargeRequestedAt: null };

/**
 * A payment attempt for the next period failed; the last allowed failure cancels the subscription. A
 * charge that the customer asked for is not counted: its page or code may still be open.
 */
export function withFailedPayment(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string; now: number }>,
): Subscription {
  if (hasRequestedCharge(subscription)) {
    return nextVersion(
      { ...subscription, payment: withChargeTried(subscription.payment), failureReason: reason },
      now,
    );
  }
  const attempts = subscription.attempts + 1;
  const failure = { attempts, failedAt: now, failureReason: reason };
  if (attempts < maxPaymentAttempts) {
    return nextVersion({ ...subscription, ...failure, status: "past_due" }, now);
  }
  const ending = { status: "cancelled", endsAt: now, cancelledAt: now } as const;
  const cancellationReason = "The renewal was not paid.";
  return nextVersionDueNow({ ...subscription, ...failure, ...ending, cancellationReason }, now);
}

/**
 * The subscription without its next period, because the order of that period was cancelled unpaid.
 */
export const withPeriodSkipped = (subscription: Subscription, now: number): Subscription =>
  nextVersion(
    {
      ...subscription,
      status: "active",
      nextCycle: subscription.nextCycle + 1,
      payment: withChargeTried(subscription.payment),
      ...noFailures,
    },
    now,
  );

/** How often a renewal is looked at while its business does not sell. */
const postponedRenewalMs = hour;

/**
 * The subscription while its business does not sell. Its next charge is for the period that runs when
 * the business sells again; periods that end before are left out.
 */
export function withRenewalPostponed(subscription: Subscription, now: number): Subscription {
  const runningCycle = periodNumberAt(subscription, now);
  const dueAt = now + postponedRenewalMs;
  if (runningCycle <= subscription.nextCycle)
    return { ...withVersionRaised(subscription, now), dueAt };
  const skipped = { ...subscription, status: "active", nextCycle: runningCycle } as const;
  return { ...nextVersion({ ...skipped, ...noFailures }, now), dueAt };
}

const noFailures = { attempts: 0, failedAt: null, failureReason: null } as const;

/** The subscription after its planned end: it is now cancelled. */
export const withEndReached = (subscription: Subscription, now: number): Subscription =>
  nextVersionDueNow(
    { ...subscription, status: "cancelled", cancelledAt: effectiveCancelledAt(subscription, now) },
    now,
  );

/**
 * The subscription after a charge to which the provider did not respond. The provider is queried
 * again later, with growing delays.
 */
export function withUnansweredCharge(subscription: Subscription, now: number): Subscription {
  const unansweredSince = subscription.unansweredSince ?? now;
  const dueAt = providerRetryAt(unansweredSince, now);
  return { ...withVersionRaised(subscription, now), unansweredSince, dueAt };
}

/**
 * The subscription without a change of its own, with the job scheduled for the regular next run.
 */
export const withNextRunRescheduled = (subscription: Subscription, now: number): Subscription =>
  nextVersion(subscription, now);

/**
 * What the job has to do for a subscription. `release` cancels an order that must not be paid any
 * more.
 */
type DueAction = "end" | "release" | "renew" | "nothing";

/**
 * Decides what the job has to do.
 *
 * @param openCycle the number of the period whose order is not paid yet; null when every order is
 *   paid.
 */
export function dueActionFor(
  subscription: Subscription,
  { openCycle, now }: Readonly<{ openCycle: number | null; now: number }>,
): DueAction {
  const { status, nextCycle } = subscription;
  if (hasReachedEnd(subscription, now)) return "end";
  const isInactive = hasEnded(subscription) || status === "paused";
  if (openCycle !== null && (isInactive || openCycle !== nextCycle)) return "release";
  const chargeAt = nextChargeAt(subscription);
  return chargeAt !== null && chargeAt <= now ? "renew" : "nothing";
}

/** The next period that must be paid. */
export const nextPeriod = (subscription: Subscription) =>
  periodOf(subscription, subscription.nextCycle);
