import { z } from "@hono/zod-openapi";
import {
  getSettings,
  messageLogRepo,
  messageNames,
  messageStatuses,
  retryMessage,
  updateSettings,
} from "../../../../shared/messages/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { wakeMessageSender } from "../../../runtime/message-queue.ts";
import { formatNumberPosition, parseNumberPosition } from "../../../wire/cursor-position.ts";
import { id } from "../../../wire/fields.ts";
import { createPage, Page, pageQuery } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import type { BusinessBindings } from "../../env.ts";
import { MessageSettingsFields } from "../../requests/message-fields.ts";
import { MessageView, viewMessage } from "../../views/settings/message.ts";
import { MessageSettingsView, viewMessageSettings } from "../../views/settings/message-template.ts";

const path = "/v1/businesses/{business_id}/messages";
const params = z.object({ business_id: id() });

/** The messages of a business and how they are sent (docs/contract/messages.md#calls). */
export const messages = createRoutes<BusinessBindings>()
  .openapi(
    route("get", path, {
      operationId: "listMessages",
      tag: "Messages",
      summary: "List the messages of the last 90 days, newest first",
      access: secretKey("messages:read"),
      params,
      query: z.object({
        ...pageQuery,
        name: z.enum(messageNames).optional(),
        status: z.enum(messageStatuses).optional(),
        order_id: id().optional(),
      }),
      response: Page(MessageView),
    }),
    async (c) => {
      const { limit, cursor, name, status, order_id: orderId } = c.req.valid("query");
      const after = parseNumberPosition(cursor, "msg_");
      const rows = await messageLogRepo(createMerchantContext(c)).list(
        { name, status, orderId },
        { limit: limit + 1, before: after && { createdAt: after.number, id: after.id } },
      );
      const page = createPage(rows, {
        limit,
        view: viewMessage,
        position: (row) => formatNumberPosition(row.createdAt, row.id),
      });
      return c.json(envelope(page), 200);
    },
  )
  .openapi(
    route("get", `${path}/settings`, {
      operationId: "getMessageSettings",
      tag: "Messages",
      summary: "Get how messages are sent",
      access: secretKey("messages:read"),
      params,
      response: MessageSettingsView,
    }),
    async (c) =>
      c.json(envelope(viewMessageSettings(await getSettings(createMerchantContext(c)))), 200),
  )
  .openapi(
    route("patch", `${path}/settings`, {
      operationId: "updateMessageSettings",
      tag: "Messages",
      summary: "Change how messages are sent",
      access: secretKey("messages:write"),
      params,
      body: requireJson(MessageSettingsFields),
      response: MessageSettingsView,
    }),
    async (c) => {
      const { sender_name, reply_to, reminder_hours, ...others } = c.req.valid("json");
      const settings = await updateSettings(createMerchantContext(c), {
        ...others,
        senderName: sender_name,
        replyTo: reply_to,
        reminderHours: reminder_hours,
      });
      return c.json(envelope(viewMessageSettings(settings)), 200);
    },
  )
  .openapi(
    route("post", `${path}/{message_id}/retry`, {
      operationId: "retryMessage",
      tag: "Messages",
      summary: "Send a failed message again",
      access: secretKey("messages:write"),
      rules: ["INVALID_STATE"],
      params: params.extend({ message_id: id() }),
      response: MessageView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const message = await retryMessage(ctx, c.req.valid("param").message_id);
      const { id: businessId, shard } = ctx.business;
      c.executionCtx.waitUntil(wakeMessageSender(c.env, { businessId, shard }));
      return c.json(envelope(viewMessage(message)), 200);
    },
  );
