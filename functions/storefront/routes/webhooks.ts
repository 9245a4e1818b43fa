import { z } from "@hono/zod-openapi";
import { hasScope } from "../../../shared/businesses/index.ts";
import {
  createWebhook,
  deleteWebhook,
  isSecretOutdated,
  listDeliveries,
  retryDelivery,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  type WebhookContext,
  type WebhookSubscription,
  webhookPayloads,
  webhookRepo,
  webhookStatuses,
} from "../../../shared/webhooks/index.ts";
import { createRoutes } from "../../http/app.ts";
import { secretKey } from "../../http/authentication/access.ts";
import { callerScopes } from "../../http/authentication/caller.ts";
import {
  createContext,
  merchantActor,
  type RequestContext,
  requireCaller,
} from "../../http/context.ts";
import { EventName, envelope, requireJson, route } from "../../http/contract.ts";
import { id, text } from "../../wire/fields.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../wire/paging.ts";
import {
  RemovedWebhookView,
  viewWebhook,
  viewWebhookDelivery,
  viewWebhookWithSecret,
  WebhookDeliveryView,
  WebhookView,
  WebhookWithSecretView,
} from "../views/webhook.ts";

const webhookFields = {
  url: text(2048).openapi({ example: "https://shop.example.com/hooks/duka" }),
  events: z.array(EventName).min(1).max(100),
  description: text(500).nullable(),
  payload: z.enum(webhookPayloads),
};

const NewWebhook = z.object({
  ...webhookFields,
  description: webhookFields.description.default(null),
  payload: webhookFields.payload.default("compact"),
});
const WebhookChanges = z.object({ ...webhookFields, status: z.enum(webhookStatuses) }).partial();

const path = "/webhooks/{webhook_id}";
const params = z.object({ webhook_id: id() });

const writeAccess = secretKey("webhooks:write");
const readAccess = secretKey("webhooks:read");

/** The calls for webhook subscriptions (docs/contract/storefront.md#webhooks). */
export const webhooks = createRoutes()
  .openapi(
    route("post", "/webhooks", {
      operationId: "createWebhook",
      tag: "Webhooks",
      summary: "Create a webhook",
      access: writeAccess,
      rules: ["WEBHOOK_LIMIT"],
      body: requireJson(NewWebhook),
      response: WebhookWithSecretView,
    }),
    async (c) => {
      const webhook = await createWebhook(createWebhookContext(c), c.req.valid("json"));
      return c.json(envelope(viewWebhookWithSecret(webhook)), 200);
    },
  )
  .openapi(
    route("get", "/webhooks", {
      operationId: "listWebhooks",
      tag: "Webhooks",
      summary: "List webhooks",
      access: readAccess,
      response: z.array(WebhookView),
    }),
    async (c) => {
      const ctx = createWebhookContext(c);
      const subscriptions = await webhookRepo(ctx).list();
      const views = subscriptions.map((subscription) => viewWithSecretState(ctx, subscription));
      return c.json(envelope(await Promise.all(views)), 200);
    },
  )
  .openapi(
    route("delete", path, {
      operationId: "deleteWebhook",
      tag: "Webhooks",
      summary: "Delete a webhook",
      access: writeAccess,
      params,
      response: RemovedWebhookView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      await deleteWebhook(createWebhookContext(c), webhook_id);
      return c.json(envelope({ id: webhook_id, deleted: true as const }), 200);
    },
  )
  .openapi(
    route("patch", path, {
      operationId: "updateWebhook",
      tag: "Webhooks",
      summary: "Update a webhook",
      description: "Activating it resets its count of failed events.",
      access: writeAccess,
      params,
      body: requireJson(WebhookChanges),
      response: WebhookView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      const changes = c.req.valid("json");
      const ctx = createWebhookContext(c);
      const changed = await updateWebhook(ctx, webhook_id, changes);
      return c.json(envelope(await viewWithSecretState(ctx, changed)), 200);
    },
  )
  .openapi(
    route("post", `${path}/rotate-secret`, {
      operationId: "rotateWebhookSecret",
      tag: "Webhooks",
      summary: "Rotate a webhook's secret",
      description: "The old secret also signs for 24 hours.",
      access: writeAccess,
      params,
      response: WebhookWithSecretView,
    }),
    async (c) => {
      const rotated = await rotateWebhookSecret(
        createWebhookContext(c),
        c.req.valid("param").webhook_id,
      );
      return c.json(envelope(viewWebhookWithSecret(rotated)), 200);
    },
  )
  .openapi(
    route("post", `${path}/test`, {
      operationId: "testWebhook",
      tag: "Webhooks",
      summary: "Send a test event once",
      description: "The webhook's deliveries show the result.",
      access: writeAccess,
      rules: ["WEBHOOK_DISABLED"],
      params,
      query: z.object({
        event: EventName.optional().openapi({
          description: "The event type. The default is the webhook's first one.",
        }),
      }),
      response: WebhookDeliveryView,
    }),
    async (c) => {
      const { webhook_id } = c.req.valid("param");
      const { event = null } = c.req.valid("query");
      const delivery = await sendTestEvent(createWebhookContext(c), webhook_id, event);
      return c.json(envelope(viewWebhookDelivery(delivery)), 200);
    },
  )
  .openapi(
    route("get", `${path}/deliveries`, {
      operationId: "listWebhookDeliveries",
      tag: "Webhooks",
      summary: "List a webhook's deliveries of the last 30 days, newest first",
      access: readAccess,
      params,
      query: z.object(pageQuery),
      response: Page(WebhookDeliveryView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const before = parseIdPosition(cursor);
      const deliveries = await listDeliveries(
        createWebhookContext(c),
        c.req.valid("param").webhook_id,
        {
          limit: limit + 1,
          before,
        },
      );
      const page = createPage(deliveries, {
        limit,
        view: viewWebhookDelivery,
        position: ({ id }) => id,
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("post", "/webhooks/deliveries/{delivery_id}/retry", {
      operationId: "retryWebhookDelivery",
      tag: "Webhooks",
      summary: "Retry a delivery now",
      access: writeAccess,
      rules: ["WEBHOOK_DISABLED"],
      params: z.object({ delivery_id: id() }),
      response: WebhookDeliveryView,
    }),
    async (c) => {
      const delivery = await retryDelivery(
        createWebhookContext(c),
        c.req.valid("param").delivery_id,
      );
      return c.json(envelope(viewWebhookDelivery(delivery)), 200);
    },
  );

const viewWithSecretState = async (ctx: WebhookContext, webhook: WebhookSubscription) =>
  viewWebhook(webhook, { isSecretOutdated: await isSecretOutdated(ctx.webhooks, webhook) });

function createWebhookContext(c: RequestContext): WebhookContext {
  const settings = c.get("settings");
  return {
    ...createContext(c, merchantActor(c)),
    mayReadOrders: hasScope(callerScopes(requireCaller(c)), "orders:read"),
    webhooks: {
      signingSecrets: settings.webhookSigningSecrets,
      allowLocal: settings.allowLocalWebhooks,
    },
  };
}
