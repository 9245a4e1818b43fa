import type { Context } from "../database/index.ts";
import { type Asker, changeSubscription } from "./change-subscription.ts";
import { subscriptionEvent } from "./events.ts";
import { cancelledAtPeriodEnd, cancelledNow } from "./lifecycle.ts";
import type { Subscription } from "./subscription.ts";

type Cancellation = Readonly<{ by: Asker; reason: string | null; isAtOnce: boolean }>;

/**
 * Cancels a subscription: at the end of the period that runs, or at once (business-surface.md,
 * Subscriptions). A second cancel is the same success (completions.md 7); one at once ends also what
 * was to end later. What was paid stays paid.
 *
 * @throws Refusal NOT_FOUND, INVALID_STATE, UNAUTHORIZED as `changeSubscription`.
 */
export const cancelSubscription = (
  ctx: Context,
  id: string,
  { by, reason, isAtOnce }: Cancellation,
): Promise<Subscription> =>
  changeSubscription(ctx, {
    id,
    by,
    action: "subscription.cancelled",
    change: (subscription) => {
      const cancellation = { reason, now: ctx.now() };
      return isAtOnce
        ? cancelledNow(subscription, cancellation)
        : cancelledAtPeriodEnd(subscription, cancellation);
    },
    events: (after) =>
      after.status === "cancelled"
        ? [subscriptionEvent("subscription.cancelled", after, ctx.now())]
        : [],
  });
