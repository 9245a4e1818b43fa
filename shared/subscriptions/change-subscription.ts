import { type Login, loginConstraint, loginEndedRefusal, loginRepo } from "../customers/index.ts";
import { type AuditedChange, type Context, commit, retryOnConflict } from "../database/index.ts";
import type { DomainEvent } from "../events/index.ts";
import { subscriptionEvent } from "./events.ts";
import { subscriptionRefusals, subscriptionRepo } from "./repo.ts";
import type { Subscription } from "./subscription.ts";
import {
  type PaymentChoice,
  withCancellationAtPeriodEnd,
  withImmediateCancellation,
  withPaymentMethod,
  withRenewalSkipped,
  withRenewalsPaused,
  withRenewalsResumed,
} from "./transitions.ts";

/** Who changes a subscription: the customer who owns it, or the business. */
export type SubscriptionRequester =
  | Readonly<{ type: "customer"; login: Login }>
  | Readonly<{ type: "business" }>;

type CancelSubscriptionInput = Readonly<{
  requester: SubscriptionRequester;
  reason: string | null;
  isImmediate: boolean;
}>;

/**
 * Cancels a subscription at the end of the current period, or immediately. A later immediate
 * cancellation replaces a planned end; any other repeat changes nothing. Nothing is refunded.
 *
 * @throws Refusal as `applySubscriptionChange`; INVALID_STATE.
 */
export const cancelSubscription = (
  ctx: Context,
  id: string,
  { requester, reason, isImmediate }: CancelSubscriptionInput,
): Promise<Subscription> =>
  applySubscriptionChange(ctx, {
    id,
    requester,
    auditAction: "subscription.cancelled",
    change: (subscription) => {
      const cancellation = { reason, by: requester.type, now: ctx.now() };
      return isImmediate
        ? withImmediateCancellation(subscription, cancellation)
        : withCancellationAtPeriodEnd(subscription, cancellation);
    },
    events: (after) =>
      after.status === "cancelled"
        ? [subscriptionEvent("subscription.cancelled", after, ctx.now())]
        : [],
  });

/**
 * Stops renewals until the subscription is resumed.
 *
 * @throws Refusal as `applySubscriptionChange`; INVALID_STATE.
 */
export const pauseSubscription = (
  ctx: Context,
  id: string,
  requester: SubscriptionRequester,
): Promise<Subscription> =>
  applySubscriptionChange(ctx, {
    id,
    requester,
    auditAction: "subscription.paused",
    change: (subscription) => withRenewalsPaused(subscription, ctx.now()),
  });

/** Continues renewals, or withdraws a scheduled cancellation. @throws Refusal as `applySubscriptionChange`; INVALID_STATE. */
export const resumeSubscription = (
  ctx: Context,
  id: string,
  requester: SubscriptionRequester,
): Promise<Subscription> =>
  applySubscriptionChange(ctx, {
    id,
    requester,
    auditAction: "subscription.resumed",
    change: (subscription) =>
      withRenewalsResumed(subscription, { by: requester.type, now: ctx.now() }),
  });

/**
 * Skips the next renewal.
 *
 * @param skipKey the key of the request, so that a repeat after a crash skips only once; null
 *   without an Idempotency-Key.
 * @throws Refusal as `applySubscriptionChange`; INVALID_STATE.
 */
export const skipRenewal = (
  ctx: Context,
  id: string,
  { requester, skipKey }: Readonly<{ requester: SubscriptionRequester; skipKey: string | null }>,
): Promise<Subscription> =>
  applySubscriptionChange(ctx, {
    id,
    requester,
    auditAction: "subscription.skipped",
    change: (subscription) =>
      skipKey !== null && subscription.skipKey === skipKey
        ? subscription
        : withRenewalSkipped(subscription, { skipKey, now: ctx.now() }),
  });

/**
 * Chooses how later periods are paid. A past_due period is to be charged with it at once.
 *
 * @throws Refusal as `applySubscriptionChange`; INVALID_STATE.
 */
export const choosePaymentMethod = (
  ctx: Context,
  id: string,
  { requester, choice }: Readonly<{ requester: SubscriptionRequester; choice: PaymentChoice }>,
): Promise<Subscription> =>
  applySubscriptionChange(ctx, {
    id,
    requester,
    auditAction: "subscription.payment_method_changed",
    change: (subscription) => withPaymentMethod(subscription, choice, ctx.now()),
  });

type SubscriptionChangeInput = Readonly<{
  id: string;
  requester: SubscriptionRequester;
  /** Returns the changed subscription, or the same object when nothing changes. */
  change: (subscription: Subscription) => Subscription;
  events?: (after: Subscription) => readonly DomainEvent[];
  /** The action that is stored in the audit trail when the business makes the change. */
  auditAction: string;
}>;

/**
 * Applies a change and returns the subscription. When a concurrent change came first, the
 * subscription is read again and the change is repeated.
 *
 * @throws Refusal NOT_FOUND, also for another customer's subscription; UNAUTHORIZED when the
 *   customer is no longer logged in; any refusal of `change`.
 */
const applySubscriptionChange = (
  ctx: Context,
  input: SubscriptionChangeInput,
): Promise<Subscription> => retryOnConflict(() => applyOnce(ctx, input));

async function applyOnce(
  ctx: Context,
  { id, requester, change, events = () => [], auditAction: action }: SubscriptionChangeInput,
): Promise<Subscription> {
  const subscriptions = subscriptionRepo(ctx);
  const { subscription: before } =
    requester.type === "customer"
      ? await subscriptions.getOfCustomer(id, requester.login)
      : await subscriptions.get(id);
  const after = change(before);
  if (after === before) return before;
  await commit(ctx, {
    writes: [
      ...(requester.type === "customer" ? [loginRepo(ctx).assertActive(requester.login)] : []),
      subscriptions.update(after),
    ],
    events: events(after),
    audit: requester.type === "business" ? [auditEntry(action, before, after)] : [],
    refusals: { ...subscriptionRefusals, [loginConstraint]: loginEndedRefusal },
  });
  return after;
}

/**
 * The entry does not contain the cancellation reason, because an erasure of the customer's data
 * could not remove it from the audit trail.
 */
const auditEntry = (action: string, before: Subscription, after: Subscription): AuditedChange => ({
  action,
  entity: after.id,
  before: { status: before.status, endsAt: before.endsAt },
  after: { status: after.status, endsAt: after.endsAt },
});
