import { z } from "@hono/zod-openapi";
import {
  getTemplate,
  listTemplates,
  previewTemplate,
  requireMessageName,
  updateTemplate,
} from "../../../../shared/messages/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, requireJson, route } from "../../../http/contract.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import type { BusinessBindings } from "../../env.ts";
import {
  TemplateFields,
  TemplateTextFields,
  TestMessageFields,
} from "../../requests/message-fields.ts";
import { sendTestMessage } from "../../send-business-message.ts";
import { MessageTemplateView, viewMessageTemplate } from "../../views/settings/message-template.ts";

const path = "/v1/businesses/{business_id}/messages/templates";
const params = z.object({ business_id: id() });
const oneParams = params.extend({
  template_name: z.string().max(64).openapi({
    description: "The name of the message.",
    example: "order.confirmation",
  }),
});

const PreviewView = z
  .object({
    subject: z.string(),
    html: z.string(),
    text: z.string(),
    sms: z.string().nullable(),
  })
  .openapi("MessagePreview");

/** The texts of messages (docs/contract/messages.md#templates). */
export const messageTemplates = createRoutes<BusinessBindings>()
  .openapi(
    route("get", path, {
      operationId: "listMessageTemplates",
      tag: "Messages",
      summary: "List the templates of all messages",
      access: secretKey("messages:read"),
      params,
      response: z.array(MessageTemplateView),
    }),
    async (c) => {
      const templates = await listTemplates(createMerchantContext(c));
      return c.json(envelope(templates.map(viewMessageTemplate)), 200);
    },
  )
  .openapi(
    route("get", `${path}/{template_name}`, {
      operationId: "getMessageTemplate",
      tag: "Messages",
      summary: "Get a template with its variables",
      access: secretKey("messages:read"),
      params: oneParams,
      response: MessageTemplateView,
    }),
    async (c) => {
      const name = requireMessageName(c.req.valid("param").template_name);
      const template = await getTemplate(createMerchantContext(c), name);
      return c.json(envelope(viewMessageTemplate(template)), 200);
    },
  )
  .openapi(
    route("patch", `${path}/{template_name}`, {
      operationId: "updateMessageTemplate",
      tag: "Messages",
      summary: "Change a template",
      description: "Null brings the built-in text back.",
      access: secretKey("messages:write"),
      params: oneParams,
      body: requireJson(TemplateFields),
      response: MessageTemplateView,
    }),
    async (c) => {
      const name = requireMessageName(c.req.valid("param").template_name);
      const { is_enabled: isEnabled, sms_body: smsBody, subject, body } = c.req.valid("json");
      const changes = { isEnabled, subject, body, smsBody };
      const template = await updateTemplate(createMerchantContext(c), name, changes);
      return c.json(envelope(viewMessageTemplate(template)), 200);
    },
  )
  .openapi(
    route("post", `${path}/{template_name}/preview`, {
      operationId: "previewMessageTemplate",
      tag: "Messages",
      summary: "Show a template with example data",
      description: "Texts in the body are shown without saving them.",
      access: secretKey("messages:read"),
      params: oneParams,
      body: requireJson(TemplateTextFields),
      response: PreviewView,
    }),
    async (c) => {
      const name = requireMessageName(c.req.valid("param").template_name);
      const { subject, body, sms_body: smsBody } = c.req.valid("json");
      const texts = { subject, body, smsBody };
      const { rendered } = await previewTemplate(createMerchantContext(c), name, texts);
      return c.json(envelope(rendered), 200);
    },
  )
  .openapi(
    route("post", `${path}/{template_name}/send-test`, {
      operationId: "sendTestMessage",
      tag: "Messages",
      summary: "Send a template with example data by e-mail",
      access: secretKey("messages:write"),
      params: oneParams,
      body: requireJson(TestMessageFields),
      response: z.object({ to: z.string() }),
    }),
    async (c) => {
      const name = requireMessageName(c.req.valid("param").template_name);
      const { to } = c.req.valid("json");
      const sentTo = await sendTestMessage(c, createMerchantContext(c), {
        name,
        ...(to !== undefined && { to }),
      });
      return c.json(envelope({ to: sentTo }), 200);
    },
  );
