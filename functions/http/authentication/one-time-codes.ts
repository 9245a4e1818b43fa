import { z } from "@hono/zod-openapi";
import { type Contact, contactTypes, readContact } from "../../../shared/customers/index.ts";
import type { Db } from "../../../shared/database/index.ts";
import { unavailable } from "../../../shared/kernel/index.ts";
import {
  type Audience,
  type CodeContext,
  type IssuedCode,
  issueCode,
  withdrawCode,
} from "../../../shared/one-time-codes/index.ts";
import { type MessageBindings, queueMessage } from "../../runtime/message-queue.ts";
import { chance } from "../../runtime/runtime.ts";
import { secretFor } from "../../runtime/secrets.ts";
import { name } from "../../wire/fields.ts";
import type { RequestContext, SurfaceBindings } from "../api-env.ts";

/** How a body names whom a code is for (interface.md, Auth and Link). */
export const contactFields = { contact: name(254), contact_type: z.enum(contactTypes).nullish() };

/** @throws Refusal VALIDATION_ERROR naming the field. */
export const contactOf = (
  { contact, contact_type }: z.infer<z.ZodObject<typeof contactFields>>,
  { defaultCountry }: { defaultCountry: string },
): Contact => readContact({ contact, contactType: contact_type ?? undefined }, defaultCountry);

type Place = Readonly<{ db: Db; audience: Audience }>;

/** The context of an audience's codes; `db` is where they are kept. */
export async function codeContext(
  c: Pick<RequestContext, "get">,
  { db, audience }: Place,
): Promise<CodeContext> {
  const settings = c.get("settings");
  const secret = await secretFor(settings, "one-time codes");
  return {
    ...chance,
    db,
    audience,
    codes: { secret, perHourPerAddress: settings.codesPerHourPerAddress },
  };
}

export type SentCode = Omit<IssuedCode, "id" | "message">;

/**
 * Issues a code and sends it on its way. One that the queue did not take is withdrawn, so that its
 * owner may ask again at once.
 *
 * @throws Refusal RATE_LIMITED, or SERVICE_UNAVAILABLE when there is nobody to bring it.
 */
export async function sendCode(
  c: RequestContext<SurfaceBindings & MessageBindings>,
  place: Place,
  contact: Contact,
): Promise<SentCode> {
  const { smsProvider, emailProvider } = c.get("settings");
  const provider = contact.type === "phone" ? smsProvider : emailProvider;
  if (provider === undefined && place.audience.mode === "live")
    throw unavailable(`No provider is configured that reaches a contact of type ${contact.type}.`);
  const address = c.req.header("cf-connecting-ip") ?? "local";
  const ctx = await codeContext(c, place);
  const { id, message, ...issued } = await issueCode(ctx, { contact, address });
  if (!message) return issued;
  try {
    await queueMessage(c.env, c.get("settings"), message);
  } catch (error) {
    await withdrawCode(ctx, { id });
    throw error;
  }
  return issued;
}
