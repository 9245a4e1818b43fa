import { day, minute, ruleBroken } from "../kernel/index.ts";
import { boundary, cycleAt } from "./period.ts";
import {
  cancelledAtOf,
  currentCycle,
  currentPeriod,
  hasRunOut,
  isOver,
  maxAttempts,
  nextChargeAt,
  periodOf,
  renewalAt,
  type Subscription,
  type SubscriptionStatus,
  statusOf,
} from "./subscription.ts";

type Move = "cancel" | "pause" | "resume" | "skip";

/** What may be asked for in each status (interface.md, Subscription; completions.md 7); the last two are final. */
const moves: Readonly<Record<SubscriptionStatus, readonly Move[]>> = {
  trialing: ["cancel", "pause", "skip"],
  active: ["cancel", "pause", "skip"],
  paused: ["cancel", "resume"],
  past_due: ["cancel"],
  cancelled: [],
  expired: [],
};

/** So many renewals may be skipped in advance. */
const maxSkipped = 12;

/** @throws Refusal INVALID_STATE for a move that the status does not allow. */
function demandMove(subscription: Subscription, move: Move, now: number): void {
  const status = statusOf(subscription, now);
  if (moves[status].includes(move)) return;
  throw invalidState(`A subscription that is ${status} does not take ${move}.`, status);
}

const invalidState = (message: string, status: SubscriptionStatus) =>
  ruleBroken("INVALID_STATE", message, { status });

/** The next version of a subscription that is about to change, with the time of the job's next look at it. */
const changed = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  askedAt: null,
  dueAt: lookAt(subscription),
  updatedAt: now,
  version: subscription.version + 1,
});

/** As `changed`; the job looks at once, since a renewal may be under way that is not to be any more. */
const changedUnderWay = (subscription: Subscription, now: number): Subscription => ({
  ...changed(subscription, now),
  dueAt: now,
});

/** When something is to be done by itself: an end, or a charge. */
const lookAt = (subscription: Subscription): number | null =>
  isOver(subscription) ? null : (subscription.endsAt ?? nextChargeAt(subscription));

/** As it is, and changed all the same: whoever read it before does not change it any more. */
export const touched = (subscription: Subscription, now: number): Subscription => ({
  ...subscription,
  updatedAt: now,
  version: subscription.version + 1,
});

/** As it is, with nothing left that is due before its time. */
export const rescheduled = (subscription: Subscription, now: number): Subscription =>
  changed(subscription, now);

/** A provider that is silent is asked again after as long as it has been silent, but no sooner. */
const soonestAgain = 5 * minute;

/** So long an answer is waited for before the try counts as failed; then it is asked for as seldom. */
const patience = day;

/** The provider does not say how the payment stands: it is asked again, ever more seldom. */
export function unanswered(subscription: Subscription, now: number): Subscription {
  const askedAt = subscription.askedAt ?? now;
  const silence = now - askedAt;
  const longest = silence < patience ? patience - silence : patience;
  const wait = Math.min(Math.max(silence, soonestAgain), longest);
  return { ...touched(subscription, now), askedAt, dueAt: now + wait };
}

/** Whether the provider has been silent for longer than is waited for without telling anybody. */
export const isSilentTooLong = ({ askedAt }: Subscription, now: number): boolean =>
  askedAt !== null && now - askedAt >= patience;

/** Renewals rest, until it is resumed; the period that runs is not touched. @throws Refusal INVALID_STATE. */
export function paused(subscription: Subscription, now: number): Subscription {
  demandMove(subscription, "pause", now);
  return changedUnderWay({ ...subscription, status: "paused" }, now);
}

/**
 * Renewals go on at the times that they had: periods that began during the pause are not charged
 * for, and the next is charged at its beginning. @throws Refusal INVALID_STATE.
 */
export function resumed(subscription: Subscription, now: number): Subscription {
  demandMove(subscription, "resume", now);
  const nextCycle = Math.max(subscription.nextCycle, firstCycleAfter(subscription, now));
  return changedUnderWay({ ...subscription, status: "active", nextCycle }, now);
}

/** The first period that begins after an instant. */
const firstCycleAfter = (subscription: Subscription, at: number): number =>
  at < boundary(subscription, 0) ? 1 : cycleAt(subscription, at) + 1;

/**
 * The next renewal is left out; later ones stay where they are. Another skip leaves out another.
 *
 * @throws Refusal INVALID_STATE, also where there is no next renewal, it is being charged for, or a
 * dozen are left out already.
 */
export function skipped(
  subscription: Subscription,
  { skipKey, now }: Readonly<{ skipKey: string | null; now: number }>,
): Subscription {
  demandMove(subscription, "skip", now);
  const status = statusOf(subscription, now);
  if (subscription.endsAt !== null) throw invalidState("It ends before it is renewed.", status);
  if (renewalAt(subscription) <= now) {
    throw invalidState("Its renewal is under way.", status);
  }
  const nextCycle = subscription.nextCycle + 1;
  if (nextCycle - currentCycle(subscription, now) > maxSkipped + 1) {
    throw invalidState(`At most ${maxSkipped} renewals can be skipped in advance.`, status);
  }
  return changed({ ...subscription, nextCycle, skipKey }, now);
}

/**
 * It ends with the period that runs, or at once where that is over. @throws Refusal INVALID_STATE
 * for one that expired; one that was cancelled before is answered as it is.
 */
export function cancelledAtPeriodEnd(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string | null; now: number }>,
): Subscription {
  if (subscription.status === "cancelled" || subscription.endsAt !== null) return subscription;
  demandMove(subscription, "cancel", now);
  const { end } = currentPeriod(subscription, now);
  if (end <= now) return cancelledNow(subscription, { reason, now });
  return changed({ ...subscription, endsAt: end, cancellationReason: reason }, now);
}

/** It is over; a second time nothing changes. @throws Refusal INVALID_STATE for one that expired. */
export function cancelledNow(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string | null; now: number }>,
): Subscription {
  if (statusOf(subscription, now) === "cancelled") return subscription;
  demandMove(subscription, "cancel", now);
  const ended = { status: "cancelled", endsAt: now, cancelledAt: now } as const;
  return changedUnderWay({ ...subscription, ...ended, cancellationReason: reason }, now);
}

/** The end that it was cancelled for has come. */
export const ended = (subscription: Subscription, now: number): Subscription =>
  changedUnderWay(
    { ...subscription, status: "cancelled", cancelledAt: cancelledAtOf(subscription, now) },
    now,
  );

type PaidCycle = Readonly<{ cycle: number; orderId: string; reference: string; now: number }>;

/** A period was paid for: the next is due at its end. One that is paused, or over, stays so. */
export function renewed(
  subscription: Subscription,
  { cycle, orderId, reference, now }: PaidCycle,
): Subscription {
  const isPastDue = subscription.status === "past_due";
  return changed(
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

/** A try to be paid for the next period failed: once too often, and it is over (completions.md 7). */
export function failed(
  subscription: Subscription,
  { reason, now }: Readonly<{ reason: string; now: number }>,
): Subscription {
  const attempts = subscription.attempts + 1;
  const failure = { attempts, failedAt: now, failureReason: reason };
  if (attempts < maxAttempts) {
    return changed({ ...subscription, ...failure, status: "past_due" }, now);
  }
  const ended = { status: "cancelled", endsAt: now, cancelledAt: now } as const;
  const cancellationReason = "The renewal was not paid.";
  return changedUnderWay({ ...subscription, ...failure, ...ended, cancellationReason }, now);
}

/** The order of the next period was cancelled before it was paid: that period is left out. */
export const passedOver = (subscription: Subscription, now: number): Subscription =>
  changed(
    { ...subscription, status: "active", nextCycle: subscription.nextCycle + 1, ...noFailures },
    now,
  );

const noFailures = { attempts: 0, failedAt: null, failureReason: null } as const;

/** What the job has to do for a subscription, now that it looks at it. */
export type Duty = "end" | "release" | "renew" | "nothing";

/**
 * @param openCycle the period whose order waits for its payment; null when none does.
 */
export function dutyOf(
  subscription: Subscription,
  { openCycle, now }: Readonly<{ openCycle: number | null; now: number }>,
): Duty {
  const { status, nextCycle } = subscription;
  if (hasRunOut(subscription, now)) return "end";
  const rests = isOver(subscription) || status === "paused";
  if (openCycle !== null && (rests || openCycle !== nextCycle)) return "release";
  const chargeAt = nextChargeAt(subscription);
  return chargeAt !== null && chargeAt <= now ? "renew" : "nothing";
}

/** The period that is to be paid for next. */
export const nextPeriod = (subscription: Subscription) =>
  periodOf(subscription, subscription.nextCycle);
