import type { EventType } from "../events/index.ts";
import { ruleViolation } from "../kernel/index.ts";

export const webhookStatuses = ["active", "disabled"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/**
 * `pending`: not attempted, or to be retried by hand. `failed`: the last attempt failed, or the
 * subscription is disabled or deleted, in which case there is no next attempt. `exhausted`: no
 * retries are left.
 */
export const webhookDeliveryStatuses = ["pending", "delivered", "failed", "exhausted"] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

export type DeliveryAttempt = Readonly<{
  number: number;
  statusCode: number | null;
  error: string | null;
  durationMs: number;
  at: number;
}>;

/**
 * A replaced signing secret of a subscription, identified by its generation; it still signs until
 * it expires.
 */
export type RetiredSecret = Readonly<{ generation: number; expiresAt: number }>;

export type WebhookSubscription = Readonly<{
  id: string;
  url: string;
  events: readonly EventType[];
  description: string | null;
  status: WebhookStatus;
  createdAt: number;
}>;

/** Fields that are undefined stay as they are. */
export type WebhookChanges = Readonly<{
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  description?: string | null | undefined;
  status?: WebhookStatus | undefined;
}>;

/** Subscriptions per business (docs/contract/events.md#webhook-limit). */
export const maxWebhooks = 20;

export const webhookDisabledRefusal = () =>
  ruleViolation("WEBHOOK_DISABLED", "The webhook is disabled. Set its status to active first.");
