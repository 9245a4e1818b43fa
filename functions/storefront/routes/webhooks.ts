import { z } from "@hono/zod-openapi";
import { iso } from "../../../shared/kernel/index.ts";
import {
  subscribe,
  unsubscribe,
  type WebhookContext,
  type WebhookSubscription,
  webhookRepo,
} from "../../../shared/webhooks/index.ts";
import { secretKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { contextOf, keyed } from "../../http/context.ts";
import { answer, contract, EventName, json } from "../../http/contract.ts";
import { id, text } from "../../http/fields.ts";
import type { RequestContext } from "../../http/surface-env.ts";

const WebhookView = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventName),
    description: z.string().nullable(),
    status: z.enum(["active", "disabled"]),
    created_at: z.string(),
  })
  .openapi("Webhook");

const CreatedWebhookView = WebhookView.extend({
  secret: z.string().openapi({ description: "Told this once: whsec_ and base64." }),
}).openapi("CreatedWebhook");

const RemovedView = z.object({ id: z.string(), deleted: z.literal(true) });

const params = z.object({ webhook_id: id() });
const body = json(
  z.object({
    url: text(2048).openapi({ example: "https://shop.example.com/hooks/duka" }),
    events: z.array(EventName).min(1).max(100),
    description: text(500).nullable().default(null),
  }),
);

const writing = secretKey("webhooks:write");
const reading = secretKey("webhooks:read");

/** Webhook administration (interface.md). */
export const webhooks = area()
  .openapi(
    contract("post", "/webhooks", {
      summary: "Register a webhook",
      access: writing,
      body,
      answer: CreatedWebhookView,
    }),
    async (c) => {
      const { secret, ...subscription } = await subscribe(webhookContext(c), c.req.valid("json"));
      return c.json(answer({ ...viewWebhook(subscription), secret }), 200);
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
    contract("delete", "/webhooks/{webhook_id}", {
      summary: "Remove a webhook",
      access: writing,
      params,
      answer: RemovedView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      await unsubscribe(webhookContext(c), webhook_id);
      return c.json(answer({ id: webhook_id, deleted: true as const }), 200);
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

const viewWebhook = ({ id, url, events, description, status, createdAt }: WebhookSubscription) => ({
  id,
  url,
  events: [...events],
  description,
  status,
  created_at: iso(createdAt),
});
