import { type FieldIssue, invalidFields, notFound } from "../../kernel/index.ts";
import { channelsOf, type MessageName, messageNames } from "../message-name.ts";
import { builtInTemplates, type TemplateTexts } from "./built-in.ts";
import { findUnknownVariables, variablePattern } from "./variables.ts";

/** A business's template: its own texts, and the built-in one where it has none. */
export type MessageTemplate = TemplateTexts &
  Readonly<{ name: MessageName; isEnabled: boolean; isCustom: boolean; updatedAt: number | null }>;

/** What a business has stored of a template; null keeps the built-in text. */
export type TemplateOverride = Readonly<{
  isEnabled: boolean;
  subject: string | null;
  body: string | null;
  smsBody: string | null;
  updatedAt: number;
}>;

/** What a caller changes of a template; null brings the built-in text back. */
export type TemplateChanges = Readonly<{
  isEnabled?: boolean | undefined;
  subject?: string | null | undefined;
  body?: string | null | undefined;
  smsBody?: string | null | undefined;
}>;

/** @throws Refusal NOT_FOUND for a name that no message has. */
export function requireMessageName(name: string): MessageName {
  const known = messageNames.find((candidate) => candidate === name);
  if (known === undefined) throw notFound("message template");
  return known;
}

export function templateWith(
  name: MessageName,
  override: TemplateOverride | null,
): MessageTemplate {
  const standard = builtInTemplates[name];
  return {
    name,
    isEnabled: override?.isEnabled ?? true,
    subject: override?.subject ?? standard.subject,
    body: override?.body ?? standard.body,
    smsBody: channelsOf(name).includes("sms") ? (override?.smsBody ?? standard.smsBody) : null,
    isCustom:
      override !== null &&
      (override.subject !== null || override.body !== null || override.smsBody !== null),
    updatedAt: override?.updatedAt ?? null,
  };
}

/** The stored override after a change. @throws Refusal BAD_REQUEST for an unknown variable. */
export function changeOverride(
  name: MessageName,
  before: TemplateOverride | null,
  { changes, now }: Readonly<{ changes: TemplateChanges; now: number }>,
): TemplateOverride {
  assertKnownVariables(name, changes);
  const kept = before ?? { isEnabled: true, subject: null, body: null, smsBody: null };
  return {
    isEnabled: changes.isEnabled ?? kept.isEnabled,
    subject: changes.subject === undefined ? kept.subject : changes.subject,
    body: changes.body === undefined ? kept.body : changes.body,
    smsBody: changes.smsBody === undefined ? kept.smsBody : changes.smsBody,
    updatedAt: now,
  };
}

/** Nobody could log in with a message without its code. */
const findMissingCodes = (texts: Readonly<Record<string, string | null | undefined>>) =>
  Object.entries(texts).flatMap(([field, text]): FieldIssue[] =>
    typeof text === "string" && ![...text.matchAll(variablePattern)].some(([, v]) => v === "code")
      ? [{ field, message: "must contain {{code}}." }]
      : [],
  );

/** @throws Refusal VALIDATION_ERROR that names each field with a variable that does not exist. */
export function assertKnownVariables(
  name: MessageName,
  { subject, body, smsBody }: TemplateChanges,
): void {
  const texts = { subject, body, sms_body: smsBody };
  const issues = Object.entries(texts).flatMap(([field, text]): FieldIssue[] => {
    const [unknown] = findUnknownVariables(name, text ?? "");
    return unknown === undefined
      ? []
      : [{ field, message: `has no variable {{${unknown}}}; GET the template for those it has.` }];
  });
  if (!channelsOf(name).includes("sms") && smsBody !== undefined && smsBody !== null)
    issues.push({ field: "sms_body", message: "must be null: this message has no SMS." });
  if (name === "one_time_code") issues.push(...findMissingCodes({ body, sms_body: smsBody }));
  if (issues.length > 0) throw invalidFields(issues);
}
