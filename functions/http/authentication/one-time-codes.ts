import { z } from "@hono/zod-openapi";
import { type Contact, contactTypes, normalizeContact } from "../../../shared/customers/index.ts";
import type { Db } from "../../../shared/database/index.ts";
import { unavailable } from "../../../shared/kernel/index.ts";
import { queueCoreMessage, queueSealedMessage } from "../../../shared/messages/index.ts";
import {
  type Audience,
  type CodeContext,
  type CodeRequest,
  type CodeToSend,
  type IssuedCode,
  issueCode,
} from "../../../shared/one-time-codes/index.ts";
import type { ApiBindings } from "../../runtime/bindings.ts";
import {
  coreWakeup,
  type MessageBindings,
  sealContent,
  wakeMessageSender,
} from "../../runtime/message-queue.ts";
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

/** `shard` is that of the business whose storefront it is; null for an audience in CORE. */
type CodeAudience = Readonly<{ db: Db; audience: Audience; shard: string | null }>;

/** The context of the use cases for one-time codes. `db` is the database that stores the codes. */
export async function createCodeContext(
  c: Pick<RequestContext, "get">,
  { db, audience }: Omit<CodeAudience, "shard">,
): Promise<CodeContext> {
  return { ...runtime, db, audience, codes: await codeSettingsOf(c.get("settings")) };
}

/** The secret and the limit of this deployment's codes. */
export const codeSettingsOf = async (settings: Settings): Promise<CodeContext["codes"]> => ({
  secret: await deriveSecret(settings, "one-time codes"),
  perHourPerAddress: settings.codesPerHourPerAddress,
});

/**
 * Issues a code and the message that contains it, in one batch, and has the message sent at once. Of a
 * business's storefront the message is in the log of the business.
 *
 * @throws Refusal RATE_LIMITED, or SERVICE_UNAVAILABLE when no provider can deliver the message.
 */
export async function sendCode(
  c: RequestContext<ApiBindings & MessageBindings>,
  codeAudience: CodeAudience,
  contact: Contact,
): Promise<IssuedCode> {
  const { smsProvider, emailProvider } = c.get("settings");
  const provider = contact.type === "phone" ? smsProvider : emailProvider;
  if (provider === undefined && codeAudience.audience.mode === "live")
    throw unavailable(`No provider is configured that reaches a contact of type ${contact.type}.`);
  const ctx = await createCodeContext(c, codeAudience);
  const id = ctx.newId("msg");
  const issued = await issueCode(ctx, {
    contact,
    network: callerNetwork(c),
    writeMessage: (message) =>
      writeCodeMessage(c.get("settings"), { ...codeAudience, id }, message),
  });
  const { shard } = codeAudience;
  if (codeAudience.audience.mode === "live")
    await wakeMessageSender(
      c.env,
      shard === null
        ? coreWakeup(id)
        : { businessId: codeAudience.audience.id, shard, messageId: id },
    );
  return issued;
}

/** Its source id is its own id, because each code has one message. */
async function writeCodeMessage(
  settings: Settings,
  { db, audience, shard, id }: CodeAudience & Readonly<{ id: string }>,
  { expiresAt, ...message }: CodeToSend,
): ReturnType<CodeRequest["writeMessage"]> {
  const row = { id, expiresAt, createdAt: runtime.now() };
  if (shard === null) {
    const sealed = await sealContent(settings, { type: "code", ...message });
    return (isIssued) => queueCoreMessage(db, { ...row, sealed }, isIssued);
  }
  const { channel, to: recipient, code, minutes } = message;
  const sealedValues = await sealContent(settings, { code, minutes: String(minutes) });
  return (isIssued) =>
    queueSealedMessage(
      db,
      {
        ...{ ...row, name: "one_time_code", businessId: audience.id, channel, recipient },
        ...{ sourceId: id, subjectId: id, sealedValues },
      },
      isIssued,
    );
}
