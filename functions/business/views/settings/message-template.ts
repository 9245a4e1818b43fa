import { z } from "@hono/zod-openapi";
import { isoOrNull } from "../../../../shared/kernel/index.ts";
import {
  channelsOf,
  type MessageSettings,
  type MessageTemplate,
  messageNames,
  smsModes,
  templateVariables,
} from "../../../../shared/messages/index.ts";
import { channels } from "../../../../shared/messaging/index.ts";

/** A template of a message (docs/contract/messages.md#templates). */
export const MessageTemplateView = z
  .object({
    name: z.enum(messageNames),
    channels: z.array(z.enum(channels)),
    is_enabled: z.boolean(),
    is_custom: z.boolean(),
    subject: z.string(),
    body: z.string(),
    sms_body: z.string().nullable(),
    variables: z.array(z.string()),
    updated_at: z.string().nullable(),
  })
  .openapi("MessageTemplate");

export const viewMessageTemplate = (
  template: MessageTemplate,
): z.infer<typeof MessageTemplateView> => ({
  name: template.name,
  channels: [...channelsOf(template.name)],
  is_enabled: template.isEnabled,
  is_custom: template.isCustom,
  subject: template.subject,
  body: template.body,
  sms_body: template.smsBody,
  variables: [...templateVariables[template.name]],
  updated_at: isoOrNull(template.updatedAt),
});

export const MessageSettingsView = z
  .object({
    sender_name: z.string().nullable(),
    reply_to: z.string().nullable(),
    locale: z.string(),
    footer: z.string().nullable(),
    reminder_hours: z.number().int(),
    sms: z.enum(smsModes),
  })
  .openapi("MessageSettings");

export const viewMessageSettings = (
  settings: MessageSettings,
): z.infer<typeof MessageSettingsView> => ({
  sender_name: settings.senderName,
  reply_to: settings.replyTo,
  locale: settings.locale,
  footer: settings.footer,
  reminder_hours: settings.reminderHours,
  sms: settings.sms,
});
