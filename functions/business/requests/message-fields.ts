import { z } from "@hono/zod-openapi";
import { isLocale, maxReminderHours, smsModes } from "../../../shared/messages/index.ts";
import { text } from "../../wire/fields.ts";
import { email } from "./email-field.ts";

const texts = {
  subject: text(200).nullable().optional(),
  body: text(10_000).nullable().optional(),
  sms_body: text(500).nullable().optional(),
};

export const TemplateTextFields = z.object(texts);
export const TemplateFields = z.object({ is_enabled: z.boolean().optional(), ...texts });

const locale = z
  .string()
  .max(35)
  .refine(isLocale, "must be a language tag such as en-GH")
  .openapi({ example: "en-GH" });

export const MessageSettingsFields = z
  .object({
    sender_name: text(100).nullable(),
    reply_to: email().nullable(),
    locale,
    footer: text(1_000).nullable(),
    reminder_hours: z.number().int().min(0).max(maxReminderHours),
    sms: z.enum(smsModes),
  })
  .partial();

export const TestMessageFields = z.object({ to: email().optional() });
