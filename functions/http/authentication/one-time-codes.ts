import { z } from "@hono/zod-openapi";
import { type Contact, contactTypes, normalizeContact } from "../../../shared/customers/index.ts";
import type { Db } from "../../../shared/database/index.ts";
import { unavailable } from "../../../shared/kernel/index.ts";
import {
  type Audience,
  type CodeContext,
  type IssuedCode,
  issueCode,
  withdrawCode,
} from "../../../shared/one-time-codes/index.ts";
import type { ApiBindings } from "../../runtime/bindings.ts";
import { type MessageBindings, queueMessage } from "../../runtime/message-queue.ts";
import { runtime } from "../../runtime/runtime.ts";
import { deriveSecret } from "../../runtime/secrets.ts";
import type { Settings } from "../../runtime/settings.ts";
import { name } from "../../wire/fields.ts";
import type { RequestContext } from "../context.ts";
import { callerNetwork } from "../rate-limits/rate-limit.ts";

/** The body fields that name the contact to which a code is sent. */
export const contactFields = { contact: name(254), contact_type: z.enum(contactTypes).nullish() };

/** @throws Refusal VALIDATION_ERROR that names the invalid field. */
export const parseContact = (
  { contact, contact_type }: z.infer<z.ZodObject<typeof contactFields>>,
  { defaultCountry }: { defaultCountry: string },
): Contact => normalizeContact({ contact, contactType: contact_type ?? undefined }, defaultCountry);

type CodeAudience = Readonly<{ db: Db; audience: Audience }>;

/** The context of the use cases for one-time codes. `db` is the database that stores the codes. */
export async function createCodeContext(
  c: Pick<RequestContext, "get">,
  { db, audience }: CodeAudience,
): Promise<CodeContext> {
  return { ...runtime, db, audience, codes: await codeSettingsOf(c.get("settings")) };
}

/** The secret and the limit of this deployment's codes. */
export const codeSettingsOf = async (settings: Settings): Promise<CodeContext["codes"]> => ({
  secret: await deriveSecret(settings, "one-time codes"),
  perHourPerAddress: settings.codesPerHourPerAddress,
});

export type SentCode = Omit<IssuedCode, "id" | "message">;

/**
 * Issues a code and queues the message that contains it. If the queue fails, the code is withdrawn,
 * so that the contact may request another code immediately.
 *
 * @throws Refusal RATE_LIMITED, or SERVICE_UNAVAILABLE when no provider can deliver the message.
 */
export async function sendCode(
  c: RequestContext<ApiBindings & MessageBindings>,
  codeAudience: CodeAudience,
  contact: Contact,
): Promise<SentCode> {
  const { smsProvider, emailProvider } = c.get("settings");
  const provider = contact.type === "phone" ? smsProvider : emailProvider;
  if (provider === undefined && codeAudience.audience.mode === "live")
    throw unavailable(`No provider is configured that reaches a contact of type ${contact.type}.`);
  const ctx = await createCodeContext(c, codeAudience);
  const { id, message, ...issued } = await issueCode(ctx, { contact, network: callerNetwork(c) });
  if (!message) return issued;
  try {
    await queueMessage(c.env, c.get("settings"), message);
  } catch (error) {
    await withdrawCode(ctx, { id });
    throw error;
  }
  return issued;
}
