import type { MessageTemplate } from "../../messages/message-names.ts";

/** Without an invitation nobody could join the shop, so the API does not let it be disabled. */
export const canDisable = (name: MessageTemplate["name"]): boolean =>
  name !== "member.invitation" && name !== "one_time_code";

export const toValues = (template: MessageTemplate) => ({
  is_enabled: template.is_enabled,
  subject: template.subject,
  body: template.body,
  sms_body: template.sms_body ?? "",
});

export type TemplateValues = ReturnType<typeof toValues>;

/** The texts as the API takes them. A message without SMS has none, and an empty text is refused. */
export const toTexts = ({ subject, body, sms_body: smsBody }: TemplateValues, hasSms: boolean) => ({
  subject,
  body,
  ...(hasSms && { sms_body: smsBody }),
});
