import { maxPaymentAttempts, providerRetryAt } from "./dunning.ts";
import {
  effectiveCancelledAt,
  hasEnded,
  hasReachedEnd,
  nextChargeAt,
  nextVersion,
  nextVersionDueNow,
  periodOf,
  type Subscription,
  withVersionRaised,
} from "./subscription.ts";

type PaidPeriod = Readonly<{ cycle: number; orderId: string; reference: string; now: number }>;

/**
 * The subscription after a period was paid; the next charge is due at the period's end. A paused or
 * ended subscription stays so.
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
      ...noFailures,
    },
    now,
  );
}

/**
 * A payment attempt for the next period failed; the last allowed failure cancels the subscription.
 */
export function withFailedPayment(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string; now: number }>,
): Subscription {
  const attempts = subscription.attempts + 1;
  const failure = { attempts, failedAt: now, failureReason: reason };
  if (attempts < maxPaymentAttempts) {
    return nextVersion({ ...subscription, ...failure, status: "past_due" }, now);
  }
  const ending = { status: "cancelled", endsAt: now, cancelledAt: now } as const;
  const cancellationReason = "The renewal was not paid.";
  return nextVersionDueNow({ ...subscription, ...failure, ...ending, cancellationReason }, now);
}

/** The next period is left out, because its order was cancelled unpaid. */
export const withPeriodSkipped = (subscription: Subscription, now: number): Subscription =>
  nextVersion(
    { ...subscription, status: "active", nextCycle: subscription.nextCycle + 1, ...noFailures },
    now,
  );

const noFailures = { attempts: 0, failedAt: null, failureReason: null } as const;

/** The subscription cancelled, because the end for which it was cancelled has been reached. */
export const withEndReached = (subscription: Subscription, now: number): Subscription =>
  nextVersionDueNow(
    { ...subscription, status: "cancelled", cancelledAt: effectiveCancelledAt(subscription, now) },
    now,
  );

/**
 * The subscription after a charge without a response; the provider is queried again after a growing
 * delay.
 */
export function withUnansweredCharge(subscription: Subscription, now: number): Subscription {
  const unansweredSince = subscription.unansweredSince ?? now;
  const dueAt = providerRetryAt(unansweredSince, now);
  return { ...withVersionRaised(subscription, now), unansweredSince, dueAt };
}

/** Unchanged, but scheduled for its regular next run. */
export const withNextRunRescheduled = (subscription: Subscription, now: number): Subscription =>
  nextVersion(subscription, now);

/** What is due for a subscription. release: cancel an order that must not be paid any more. */
type DueAction = "end" | "release" | "renew" | "nothing";

/** @param openCycle the period whose order is not paid yet; null when there is none. */
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

/** The next period to be paid. */
export const nextPeriod = (subscription: Subscription) =>
  periodOf(subscription, subscription.nextCycle);
