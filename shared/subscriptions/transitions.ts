import { ruleViolation } from "../kernel/index.ts";
import { periodBoundary, periodNumberAt } from "./period.ts";
import {
  currentPeriod,
  currentPeriodNumber,
  nextVersion,
  nextVersionDueNow,
  renewalAt,
  type Subscription,
  type SubscriptionStatus,
  statusOf,
} from "./subscription.ts";

type SubscriptionAction = "cancel" | "pause" | "resume" | "skip";

/**
 * The actions that each status allows. No action is allowed in the final statuses cancelled and
 * expired.
 */
const allowedActions: Readonly<Record<SubscriptionStatus, readonly SubscriptionAction[]>> = {
  trialing: ["cancel", "pause", "skip"],
  active: ["cancel", "pause", "skip"],
  paused: ["cancel", "resume"],
  past_due: ["cancel"],
  cancelled: [],
  expired: [],
};

/** How many renewals may be skipped in advance. */
const maxSkippedRenewals = 12;

/** @throws Refusal INVALID_STATE for an action that the status does not allow. */
function assertAllowed(subscription: Subscription, action: SubscriptionAction, now: number): void {
  const status = statusOf(subscription, now);
  if (allowedActions[status].includes(action)) return;
  throw invalidState(`A subscription that is ${status} does not allow ${action}.`, status);
}

const invalidState = (message: string, status: SubscriptionStatus) =>
  ruleViolation("INVALID_STATE", message, { status });

/** Pauses renewals; the current period continues. @throws Refusal INVALID_STATE. */
export function withRenewalsPaused(subscription: Subscription, now: number): Subscription {
  assertAllowed(subscription, "pause", now);
  return nextVersionDueNow({ ...subscription, status: "paused" }, now);
}

/**
 * Resumes renewals on the original schedule. Periods that began during the pause are not charged.
 * The next charge is at the start of the next period.
 *
 * @throws Refusal INVALID_STATE.
 */
export function withRenewalsResumed(subscription: Subscription, now: number): Subscription {
  assertAllowed(subscription, "resume", now);
  const nextCycle = Math.max(subscription.nextCycle, firstCycleStartingAfter(subscription, now));
  return nextVersionDueNow({ ...subscription, status: "active", nextCycle }, now);
}

/** The number of the first period that begins after an instant. */
const firstCycleStartingAfter = (subscription: Subscription, at: number): number =>
  at < periodBoundary(subscription, 0) ? 1 : periodNumberAt(subscription, at) + 1;

/**
 * Skips the next renewal. Later renewals keep their dates.
 *
 * @throws Refusal INVALID_STATE, also when there is no next renewal, it is being charged, or the
 *   maximum number of renewals is skipped.
 */
export function withRenewalSkipped(
  subscription: Subscription,
  { skipKey, now }: Readonly<{ skipKey: string | null; now: number }>,
): Subscription {
  assertAllowed(subscription, "skip", now);
  const status = statusOf(subscription, now);
  if (subscription.endsAt !== null)
    throw invalidState("The subscription ends before its next renewal.", status);
  if (renewalAt(subscription) <= now) {
    throw invalidState("The renewal is being charged.", status);
  }
  const nextCycle = subscription.nextCycle + 1;
  if (nextCycle - currentPeriodNumber(subscription, now) > maxSkippedRenewals + 1) {
    throw invalidState(`At most ${maxSkippedRenewals} renewals can be skipped in advance.`, status);
  }
  return nextVersion({ ...subscription, nextCycle, skipKey }, now);
}

/**
 * Ends the subscription with its current period, or immediately if that period has ended. A
 * cancelled subscription is returned unchanged.
 *
 * @throws Refusal INVALID_STATE for an expired subscription.
 */
export function withCancellationAtPeriodEnd(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string | null; now: number }>,
): Subscription {
  if (subscription.status === "cancelled" || subscription.endsAt !== null) return subscription;
  assertAllowed(subscription, "cancel", now);
  const { end } = currentPeriod(subscription, now);
  if (end <= now) return withImmediateCancellation(subscription, { reason, now });
  return nextVersion({ ...subscription, endsAt: end, cancellationReason: reason }, now);
}

/**
 * Ends the subscription immediately. A cancelled subscription is returned unchanged.
 *
 * @throws Refusal INVALID_STATE for an expired subscription.
 */
export function withImmediateCancellation(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string | null; now: number }>,
): Subscription {
  if (statusOf(subscription, now) === "cancelled") return subscription;
  assertAllowed(subscription, "cancel", now);
  const ending = { status: "cancelled", endsAt: now, cancelledAt: now } as const;
  return nextVersionDueNow({ ...subscription, ...ending, cancellationReason: reason }, now);
}
