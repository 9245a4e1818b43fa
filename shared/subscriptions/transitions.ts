import { canonicalJson, ruleViolation } from "../kernel/index.ts";
import { renewalLeaseMs } from "./dunning.ts";
import { periodBoundary, periodNumberAt } from "./period.ts";
import {
  currentPeriod,
  currentPeriodNumber,
  hasEnded,
  hasReachedEnd,
  nextVersion,
  nextVersionDueNow,
  type PaymentSource,
  renewalAt,
  type Subscription,
  type SubscriptionStatus,
  statusOf,
} from "./subscription.ts";

type SubscriptionAction = "cancel" | "pause" | "resume" | "skip" | "another payment method";

/** Who changes a subscription. */
type ChangedBy = "customer" | "business";

/** The actions that each status allows; cancelled is final. */
const allowedActions: Readonly<Record<SubscriptionStatus, readonly SubscriptionAction[]>> = {
  trialing: ["cancel", "pause", "skip", "another payment method"],
  active: ["cancel", "pause", "skip", "another payment method"],
  paused: ["cancel", "resume", "another payment method"],
  past_due: ["cancel", "another payment method"],
  cancelled: [],
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

type ChangeStamp = Readonly<{ by: ChangedBy; now: number }>;

/**
 * Resumes renewals on the original schedule. Periods that began during the pause are not charged;
 * the next one is charged when it begins. A paused subscription keeps a scheduled end; resuming one
 * that is not paused withdraws its cancellation.
 *
 * @throws Refusal INVALID_STATE, also when a customer withdraws the cancellation of the business.
 */
export function withRenewalsResumed(
  subscription: Subscription,
  { by, now }: ChangeStamp,
): Subscription {
  const isEnding = subscription.endsAt !== null && !hasReachedEnd(subscription, now);
  if (isEnding && subscription.status === "active") {
    return withCancellationWithdrawn(subscription, { by, now });
  }
  assertAllowed(subscription, "resume", now);
  const nextCycle = Math.max(subscription.nextCycle, firstCycleStartingAfter(subscription, now));
  return nextVersionDueNow({ ...subscription, status: "active", nextCycle }, now);
}

function withCancellationWithdrawn(
  subscription: Subscription,
  { by, now }: ChangeStamp,
): Subscription {
  if (by === "customer" && subscription.cancelledBy === "business") {
    const status = statusOf(subscription, now);
    throw invalidState("Only the business can withdraw its own cancellation.", status);
  }
  const noEnd = { endsAt: null, cancellationReason: null, cancelledBy: null } as const;
  return nextVersion({ ...subscription, ...noEnd }, now);
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
 * Ends the subscription with its current period, or immediately if that has ended. One that has an
 * end is returned unchanged, except that the business takes over the customer's cancellation.
 */
export function withCancellationAtPeriodEnd(
  subscription: Subscription,
  { reason, by, now }: Cancellation,
): Subscription {
  if (hasEnded(subscription) || hasReachedEnd(subscription, now)) return subscription;
  if (subscription.endsAt !== null) {
    if (by === "customer" || subscription.cancelledBy === by) return subscription;
    return nextVersion({ ...subscription, cancelledBy: by }, now);
  }
  assertAllowed(subscription, "cancel", now);
  const { end } = currentPeriod(subscription, now);
  if (end <= now) return withImmediateCancellation(subscription, { reason, by, now });
  const ending = { endsAt: end, cancellationReason: reason, cancelledBy: by };
  return nextVersion({ ...subscription, ...ending }, now);
}

type Cancellation = ChangeStamp & Readonly<{ reason: string | null }>;

/** Ends the subscription immediately; a cancelled one is returned unchanged. */
export function withImmediateCancellation(
  subscription: Subscription,
  { reason, by, now }: Cancellation,
): Subscription {
  if (statusOf(subscription, now) === "cancelled") return subscription;
  assertAllowed(subscription, "cancel", now);
  const ending = { status: "cancelled", endsAt: now, cancelledAt: now, cancelledBy: by } as const;
  return nextVersionDueNow({ ...subscription, ...ending, cancellationReason: reason }, now);
}

/** A payment method as the customer chooses it. */
export type PaymentChoice = PaymentSource & Readonly<{ method: string }>;

/**
 * Later periods are charged with this method, and an unpaid one at once. The caller charges it; the
 * job does when the caller has not finished after the lease. A repeat changes nothing.
 *
 * @throws Refusal INVALID_STATE for a cancelled subscription.
 */
export function withPaymentMethod(
  subscription: Subscription,
  choice: PaymentChoice,
  now: number,
): Subscription {
  assertAllowed(subscription, "another payment method", now);
  const { payment, lastReference, status } = subscription;
  const isUnpaid = status === "past_due";
  const isChosen = payment?.replacedReference === lastReference && isSameMethod(payment, choice);
  if (isChosen && (!isUnpaid || payment.chargeRequestedAt !== null)) return subscription;
  const chosen = {
    ...choice,
    chosenVersion: subscription.version + 1,
    replacedReference: lastReference,
    chargeRequestedAt: isUnpaid ? now : null,
  };
  const changed = nextVersion({ ...subscription, payment: chosen }, now);
  return isUnpaid ? { ...changed, dueAt: now + renewalLeaseMs } : changed;
}

const isSameMethod = (a: PaymentChoice, b: PaymentChoice): boolean =>
  canonicalJson(toChoice(a)) === canonicalJson(toChoice(b));

const toChoice = ({ method, mobileMoney, page = null }: PaymentChoice) => ({
  method,
  mobileMoney,
  page,
});
