import type { EventType } from "../kernel/index.ts";

export const subscriptionStatuses = ["active", "disabled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** pending: under way or to be retried; failed: ended by the receiver's word (410) or for want of an address that may be called; exhausted: retries used up. */
export const deliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryAttempt = Readonly<{
  number: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  at: number;
}>;

export type WebhookSubscription = Readonly<{
  id: string;
  url: string;
  events: readonly EventType[];
  description: string | null;
  status: SubscriptionStatus;
  createdAt: number;
}>;

/** How many subscriptions a business may have at once (completions.md 14). */
export const maxSubscriptions = 20;

/** So many events in a row that used up their retries disable a subscription (completions.md 14). */
export const maxConsecutiveFailures = 20;
