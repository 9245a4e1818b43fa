import type { Contact } from "../customers/index.ts";
import { minute, Refusal, second } from "../kernel/index.ts";
import type { Channel, Message } from "../messaging/index.ts";
import { codeTtlMs, generateCode, resendAfterMs } from "./code.ts";
import type { Audience, CodeContext } from "./context.ts";
import { digestCode, digestContact, digestNetwork } from "./digests.ts";
import { codeRepo } from "./repo.ts";

export type IssuedCode = Readonly<{
  /** The id that `withdrawCode` takes. */
  id: number;
  deliveryChannel: Channel;
  expiresInSeconds: number;
  nextResendInSeconds: number;
  /** The message with the code. Null in test mode, which sends nothing. */
  message: Message | null;
}>;

/**
 * Issues a contact's next code, which replaces the previous code that the same network requested.
 * Other networks' codes stay valid. The time that this takes does not reveal whether the contact is
 * known, because no customer or account is read.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms; SERVICE_UNAVAILABLE when the database does not
 *   respond.
 */
export async function issueCode(
  ctx: CodeContext,
  { contact, network }: { contact: Contact; network: string },
): Promise<IssuedCode> {
  const code = generateCode(ctx.audience.mode, ctx.randomBytes);
  const expiresAt = ctx.now() + codeTtlMs;
  const [ofContact, ofAddress, ofCode] = await Promise.all([
    digestContact(ctx, contact),
    digestNetwork(ctx, network),
    digestCode(ctx, contact, code),
  ]);
  const issued = await codeRepo(ctx).issue({
    contactDigest: ofContact,
    addressDigest: ofAddress,
    codeDigest: ofCode,
    expiresAt,
  });
  if (!issued.isIssued) throw tooManyCodes(issued.freeAt - ctx.now());
  return {
    id: issued.id,
    deliveryChannel: contact.type === "phone" ? "sms" : "email",
    expiresInSeconds: codeTtlMs / second,
    nextResendInSeconds: resendAfterMs / second,
    message: ctx.audience.mode === "test" ? null : toCodeMessage(ctx, { contact, code, expiresAt }),
  };
}

/**
 * Deletes a code whose message could not be queued. The code no longer counts towards the limits,
 * and the previous code is valid again until it expires.
 */
export const withdrawCode = (ctx: CodeContext, { id }: Pick<IssuedCode, "id">): Promise<void> =>
  codeRepo(ctx).withdraw(id);

const tooManyCodes = (waitMs: number) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many one-time codes; wait and try again.",
    context: { retry_after_ms: Math.max(waitMs, 1) },
  });

function toCodeMessage(
  { audience, newId }: CodeContext,
  { contact, code, expiresAt }: { contact: Contact; code: string; expiresAt: number },
): Message {
  const sender = senderName(audience);
  const common = {
    id: newId("msg"),
    to: contact.value,
    text: `${code} is your code for ${sender}. It is valid for ${codeTtlMs / minute} minutes. Do not share it with anyone.`,
    expiresAt,
  };
  return contact.type === "phone"
    ? { ...common, channel: "sms" }
    : { ...common, channel: "email", subject: `Your code for ${sender}` };
}

/** The audience's name on one line, cut to 60 characters so that the message fits in one SMS. */
const senderName = ({ name }: Audience): string => name.replace(/\s+/g, " ").trim().slice(0, 60);
