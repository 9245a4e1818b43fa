import type { DomainEvent, EventType } from "../events/index.ts";
import { formatMoney, iso } from "../kernel/index.ts";
import {
  currentPeriod,
  hasEnded,
  hasReachedEnd,
  renewalAmountMinor,
  type Subscription,
  statusOf,
} from "./subscription.ts";

type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

/** A subscription.* event. Its data is the state of the subscription, and its last paid order. */
export function subscriptionEvent(
  type: SubscriptionEvent,
  subscription: Subscription,
  now: number,
): DomainEvent {
  const period = currentPeriod(subscription, now);
  return {
    type,
    subjectId: subscription.id,
    data: {
      id: subscription.id,
      customer_id: subscription.customerId,
      status: statusOf(subscription, now),
      billing_plan_id: subscription.plan.id,
      current_period_start: iso(period.start),
      current_period_end: iso(period.end),
      cancel_at_period_end: isCancelling(subscription, now),
      amount: formatMoney(renewalAmountMinor(subscription), subscription.currency),
      currency: subscription.currency,
      order_id: subscription.lastOrderId,
    },
  };
}

/** Whether the subscription will be cancelled at the end of the current period. */
export const isCancelling = (subscription: Subscription, now: number): boolean =>
  subscription.endsAt !== null && !hasEnded(subscription) && !hasReachedEnd(subscription, now);
