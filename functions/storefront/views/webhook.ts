import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import {
  deliveryStatuses,
  type LoggedDelivery,
  type Subscribed,
  subscriptionStatuses,
  type WebhookSubscription,
} from "../../../shared/webhooks/index.ts";
import { EventName } from "../../http/contract.ts";

export const WebhookView = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventName),
    description: z.string().nullable(),
    status: z.enum(subscriptionStatuses).openapi({
      description: "disabled: by the merchant, or after 20 events in a row used up their retries.",
    }),
    created_at: z.string(),
  })
  .openapi("Webhook");

export const WebhookWithSecretView = WebhookView.extend({
  secret: z.string().openapi({ description: "Told this once: whsec_ and base64." }),
}).openapi("WebhookWithSecret");

export const RemovedWebhookView = z.object({ id: z.string(), deleted: z.literal(true) });

export const DeliveryView = z
  .object({
    id: z.string(),
    event_id: z.string(),
    event_type: EventName,
    is_test: z.boolean().openapi({ description: "An example that was asked for by hand." }),
    status: z.enum(deliveryStatuses).openapi({
      description:
        "failed: the last attempt failed, and next_attempt_at tells when it is repeated; exhausted: its retries are used up.",
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

export const viewWebhook = ({
  id,
  url,
  events,
  description,
  status,
  createdAt,
}: WebhookSubscription) => ({
  id,
  url,
  events: [...events],
  description,
  status,
  created_at: iso(createdAt),
});

export const viewWebhookWithSecret = ({ secret, ...subscription }: Subscribed) => ({
  ...viewWebhook(subscription),
  secret,
});

export const viewDelivery = ({ attempts, nextAttemptAt, ...delivery }: LoggedDelivery) => ({
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
