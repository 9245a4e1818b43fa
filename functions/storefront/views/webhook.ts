import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import {
  type WebhookDelivery,
  type WebhookSubscription,
  type WebhookWithSecret,
  webhookDeliveryStatuses,
  webhookPayloads,
  webhookStatuses,
} from "../../../shared/webhooks/index.ts";
import { EventName } from "../../http/contract.ts";

export const WebhookView = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventName),
    description: z.string().nullable(),
    payload: z.enum(webhookPayloads).openapi({
      description: "full: order events also have the order's lines and contact.",
    }),
    status: z.enum(webhookStatuses).openapi({
      description: "disabled: by the merchant, or after all retries of 20 events in a row failed.",
    }),
    created_at: z.string(),
    secret_outdated: z.boolean().openapi({
      description:
        "true: the service has replaced the key from which the secret derives, and will stop signing with the secret. Call rotate-secret.",
    }),
  })
  .openapi("Webhook");

export const WebhookWithSecretView = WebhookView.extend({
  secret: z
    .string()
    .openapi({ description: "The signing secret: whsec_ and base64. It is returned only here." }),
}).openapi("WebhookWithSecret");

export const RemovedWebhookView = z.object({ id: z.string(), deleted: z.literal(true) });

export const WebhookDeliveryView = z
  .object({
    id: z.string(),
    event_id: z.string(),
    event_type: EventName,
    is_test: z.boolean().openapi({ description: "Whether this is a test event." }),
    status: z.enum(webhookDeliveryStatuses).openapi({
      description:
        "failed: the last attempt failed and is retried at next_attempt_at. exhausted: all retries failed.",
    }),
    attempts: z.array(
      z.object({
        number: z.number().int(),
        status_code: z.number().int().nullable(),
        error: z.string().nullable(),
        duration_ms: z.number(),
        at: z.string(),
      }),
    ),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi("WebhookDelivery");

export const viewWebhook = (
  { id, url, events, description, payload, status, createdAt }: WebhookSubscription,
  { isSecretOutdated }: Readonly<{ isSecretOutdated: boolean }>,
) => ({
  id,
  url,
  events: [...events],
  description,
  payload,
  status,
  created_at: iso(createdAt),
  secret_outdated: isSecretOutdated,
});

/** A webhook whose secret has just been derived. */
export const viewWebhookWithSecret = ({ secret, ...subscription }: WebhookWithSecret) => ({
  ...viewWebhook(subscription, { isSecretOutdated: false }),
  secret,
});

export const viewWebhookDelivery = ({ attempts, nextAttemptAt, ...delivery }: WebhookDelivery) => ({
  id: delivery.id,
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  is_test: delivery.isTest,
  status: delivery.status,
  attempts: attempts.map(({ number, statusCode, error, durationMs, at }) => ({
    number,
    status_code: statusCode,
    error,
    duration_ms: durationMs,
    at: iso(at),
  })),
  next_attempt_at: nextAttemptAt === null ? null : iso(nextAttemptAt),
  created_at: iso(delivery.createdAt),
});
