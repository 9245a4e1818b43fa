import { z } from "@hono/zod-openapi";
import {
  changeSubscription,
  readDeliveries,
  retryDelivery,
  rotateSecret,
  subscribe,
  subscriptionStatuses,
  testSubscription,
  unsubscribe,
  type WebhookContext,
  webhookRepo,
} from "../../../shared/webhooks/index.ts";
import type { RequestContext } from "../../http/api-env.ts";
import { area } from "../../http/app.ts";
import { secretKey } from "../../http/authentication/access.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { answer, contract, EventName, json } from "../../http/contract.ts";
import { id, text } from "../../wire/fields.ts";
import { idPosition, Page, pageOf, pageQuery } from "../../wire/paging.ts";
import {
  DeliveryView,
  RemovedWebhookView,
  viewDelivery,
  viewWebhook,
  viewWebhookWithSecret,
  WebhookView,
  WebhookWithSecretView,
} from "../views/webhook.ts";

const fields = {
  url: text(2048).openapi({ example: "https://shop.example.com/hooks/duka" }),
  events: z.array(EventName).min(1).max(100),
  description: text(500).nullable(),
};

const NewWebhook = z.object({ ...fields, description: fields.description.default(null) });
const WebhookChanges = z.object({ ...fields, status: z.enum(subscriptionStatuses) }).partial();

const path = "/webhooks/{webhook_id}";
const params = z.object({ webhook_id: id() });

const writing = secretKey("webhooks:write");
const reading = secretKey("webhooks:read");

/** Webhook administration (interface.md; completions.md 14). */
export const webhooks = area()
  .openapi(
    contract("post", "/webhooks", {
      summary: "Register a webhook",
      access: writing,
      body: json(NewWebhook),
      answer: WebhookWithSecretView,
    }),
    async (c) => {
      const subscribed = await subscribe(webhookContext(c), c.req.valid("json"));
      return c.json(answer(viewWebhookWithSecret(subscribed)), 200);
    },
  )
  .openapi(
    contract("get", "/webhooks", {
      summary: "The business's webhooks",
      access: reading,
      answer: z.array(WebhookView),
    }),
    async (c) => {
      const subscriptions = await webhookRepo(webhookContext(c)).list();
      return c.json(answer(subscriptions.map(viewWebhook)), 200);
    },
  )
  .openapi(
    contract("delete", path, {
      summary: "Remove a webhook",
      access: writing,
      params,
      answer: RemovedWebhookView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      await unsubscribe(webhookContext(c), webhook_id);
      return c.json(answer({ id: webhook_id, deleted: true as const }), 200);
    },
  )
  .openapi(
    contract("patch", path, {
      summary: "Change a webhook; active again, it starts with a clean slate",
      access: writing,
      params,
      body: json(WebhookChanges),
      answer: WebhookView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      const changes = c.req.valid("json");
      const changed = await changeSubscription(webhookContext(c), webhook_id, changes);
      return c.json(answer(viewWebhook(changed)), 200);
    },
  )
  .openapi(
    contract("post", `${path}/rotate-secret`, {
      summary: "Give a webhook a new secret; the old one signs as well for 24 hours",
      access: writing,
      params,
      answer: WebhookWithSecretView,
    }),
    async (c) => {
      const rotated = await rotateSecret(webhookContext(c), c.req.valid("param").webhook_id);
      return c.json(answer(viewWebhookWithSecret(rotated)), 200);
    },
  )
  .openapi(
    contract("post", `${path}/test`, {
      summary: "Send a webhook an example event, once; its deliveries tell what came of it",
      access: writing,
      params,
      query: z.object({
        event: EventName.optional().openapi({
          description: "Which event; without it, the first that the webhook is registered for.",
        }),
      }),
      answer: DeliveryView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      const { event = null } = c.req.valid("query");
      const delivery = await testSubscription(webhookContext(c), webhook_id, event);
      return c.json(answer(viewDelivery(delivery)), 200);
    },
  )
  .openapi(
    contract("get", `${path}/deliveries`, {
      summary: "What was sent to a webhook in the last 30 days, the newest first",
      access: reading,
      params,
      query: z.object(pageQuery),
      answer: Page(DeliveryView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const before = idPosition(cursor);
      const found = await readDeliveries(webhookContext(c), c.req.valid("param").webhook_id, {
        limit: limit + 1,
        before,
      });
      const page = pageOf(found, { limit, view: viewDelivery, position: ({ id }) => id });
      return c.json(answer(page), 200);
    },
  )
  .openapi(
    contract("post", "/webhooks/deliveries/{delivery_id}/retry", {
      summary: "Attempt a delivery once more, now",
      access: writing,
      params: z.object({ delivery_id: id() }),
      answer: DeliveryView,
    }),
    async (c) => {
      const delivery = await retryDelivery(webhookContext(c), c.req.valid("param").delivery_id);
      return c.json(answer(viewDelivery(delivery)), 200);
    },
  );

function webhookContext(c: RequestContext): WebhookContext {
  const settings = c.get("settings");
  return {
    ...contextOf(c, { type: "merchant", keyId: keyed(c).key.id }),
    webhooks: {
      signingSecret: settings.webhookSigningSecret,
      allowLocal: settings.allowLocalWebhooks,
    },
  };
}
