import { commit } from "../database/index.ts";
import { type OrderContext, type OrderDetails, recordCharge } from "../orders/index.ts";
import type { ChargeResult } from "../payments/index.ts";
import {
  hasEnded,
  type Subscription,
  subscriptionEvent,
  subscriptionRefusals,
  subscriptionRepo,
  withFailedPayment,
} from "../subscriptions/index.ts";

/** The provider's result, to be stored in the same batch as the failure. */
type ReportedCharge = Readonly<{ result: ChargeResult; details: OrderDetails }>;

/**
 * Counts a failed payment attempt and stores the provider's result in the same batch. The last
 * allowed failure cancels the subscription. The next run of the job then cancels the unpaid order.
 *
 * @throws Refusal CONFLICT (retryable) when the subscription changed meanwhile.
 */
export async function recordFailedPayment(
  ctx: OrderContext,
  subscription: Subscription,
  reason: string,
  report?: ReportedCharge,
): Promise<void> {
  const now = ctx.now();
  const after = withFailedPayment(subscription, { reason, now });
  const change = {
    writes: [subscriptionRepo(ctx).update(after)],
    events: hasEnded(after) ? [subscriptionEvent("subscription.cancelled", after, now)] : [],
    refusals: subscriptionRefusals,
  };
  if (report) {
    const { result, details } = report;
    const { reference, version } = details.payment;
    const recorded = await recordCharge(ctx, details, { result, reference, ...change });
    if (recorded.payment.version !== version) return;
  }
  await commit(ctx, change);
}
