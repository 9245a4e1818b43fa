import type { EventType } from "../events/index.ts";
import { hour, ruleViolation } from "../kernel/index.ts";

export const webhookStatuses = ["active", "disabled"] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const webhookPayloads = ["compact", "full"] as const;
/** Whether `order.*` events also carry the order's lines and contact. */
export type WebhookPayload = (typeof webhookPayloads)[number];

/**
 * `pending`: not attempted yet, or to be retried on request. `failed`: the last attempt failed, or
 * the webhook subscription is disabled or deleted. `exhausted`: no retries are left.
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

/** A replaced secret, which signs until it expires. `generation` is the secret's number. */
export type RetiredSecret = Readonly<{
  generation: number;
  expiresAt: number;
  /** As in the table of subscriptions. Entries that are older than the column lack it. */
  signingSecretId?: string | null;
}>;

/** How long a replaced secret still signs, in addition to the new one. */
export const retiredSecretTtlMs = 24 * hour;

export type WebhookSubscription = Readonly<{
  id: string;
  url: string;
  events: readonly EventType[];
  description: string | null;
  payload: WebhookPayload;
  status: WebhookStatus;
  createdAt: number;
  /** Names the deployment's signing secret from which the secret derives. */
  signingSecretId: string | null;
}>;

/** A change to a webhook subscription. Undefined fields keep their value. */
export type WebhookChanges = Readonly<{
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  description?: string | null | undefined;
  payload?: WebhookPayload | undefined;
  status?: WebhookStatus | undefined;
}>;

/** The limit of webhook subscriptions per business (docs/contract/events.md#webhook-limit). */
export const maxWebhooks = 20;

export const webhookDisabledRefusal = () =>
  ruleViolation("WEBHOOK_DISABLED", "The webhook is disabled. Set its status to active first.");
