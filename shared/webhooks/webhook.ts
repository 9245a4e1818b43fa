import type { EventType } from "../events/index.ts";

export const subscriptionStatuses = ["active", "disabled"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/**
 * pending: not attempted yet, or asked for again; failed: the last attempt failed, or nobody is there
 * to receive any more, and the next attempt's time tells which; exhausted: retries used up.
 */
export const deliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryAttempt = Readonly<{
  number: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  at: number;
}>;

/** A generation of a subscription's secret that was replaced, and until when it still signs. */
export type RetiredSecret = Readonly<{ generation: number; until: number }>;

export type WebhookSubscription = Readonly<{
  id: string;
  url: string;
  events: readonly EventType[];
  description: string | null;
  status: SubscriptionStatus;
  createdAt: number;
}>;

/** What is named changes, the rest stays. */
export type SubscriptionChanges = Readonly<{
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  description?: string | null | undefined;
  status?: SubscriptionStatus | undefined;
}>;

/** How many subscriptions a business may have at once (completions.md 14). */
export const maxSubscriptions = 20;

/** So many events in a row that used up their retries disable a subscription (completions.md 14). */
export const maxConsecutiveFailures = 20;
