import type { DomainEvent, EventType } from "../events/index.ts";
import { formatMoney, iso } from "../kernel/index.ts";
import {
  amountOf,
  currentPeriod,
  hasRunOut,
  isOver,
  type Subscription,
  statusOf,
} from "./subscription.ts";

type SubscriptionEvent = Extract<EventType, `subscription.${string}`>;

/** The snapshot that goes with subscription.* (completions.md 14): as its list shows it, and the order of its last paid period. */
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
      amount: formatMoney(amountOf(subscription), subscription.currency),
      currency: subscription.currency,
      order_id: subscription.lastOrderId,
    },
  };
}

/** Whether it was cancelled for the end of the period that runs. */
export const isCancelling = (subscription: Subscription, now: number): boolean =>
  subscription.endsAt !== null && !isOver(subscription) && !hasRunOut(subscription, now);
