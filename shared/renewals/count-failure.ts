import { commit } from "../database/index.ts";
import { type OrderContext, type PaidOrder, recordCharge } from "../orders/index.ts";
import type { ChargeResult } from "../payments/index.ts";
import {
  failed,
  isOver,
  type Subscription,
  subscriptionEvent,
  subscriptionRefusals,
  subscriptionRepo,
} from "../subscriptions/index.ts";

/** What the provider said, where it is to be stored with the failure. */
type News = Readonly<{ result: ChargeResult; paid: PaidOrder }>;

/**
 * Counts a try that brought no money: with it, in one batch, what the provider said of the charge. The
 * last one ends the subscription (completions.md 7); the order that waits for its payment is given up
 * at the next look.
 *
 * @throws Refusal CONFLICT (retryable) when the subscription changed meanwhile.
 */
export async function countFailure(
  ctx: OrderContext,
  subscription: Subscription,
  reason: string,
  news?: News,
): Promise<void> {
  const now = ctx.now();
  const after = failed(subscription, { reason, now });
  const change = {
    writes: [subscriptionRepo(ctx).update(after)],
    events: isOver(after) ? [subscriptionEvent("subscription.cancelled", after, now)] : [],
    refusals: subscriptionRefusals,
  };
  if (news) {
    const { result, paid } = news;
    const { reference, version } = paid.payment;
    const recorded = await recordCharge(ctx, paid, { result, reference, ...change });
    if (recorded.payment.version !== version) return;
  }
  await commit(ctx, change);
}
