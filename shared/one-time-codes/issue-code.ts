import type { Contact } from "../customers/index.ts";
import { minute, Refusal, second } from "../kernel/index.ts";
import type { Channel, Message } from "../messaging/index.ts";
import { codeLifetimeMs, newCode, resendAfterMs } from "./code.ts";
import type { Audience, CodeContext } from "./context.ts";
import { addressDigest, codeDigest, contactDigest } from "./digests.ts";
import { codeRepo } from "./repo.ts";

export type IssuedCode = Readonly<{
  /** By which it can be withdrawn. */
  id: number;
  deliveryChannel: Channel;
  expiresInSeconds: number;
  nextResendInSeconds: number;
  /** What brings the code to its owner; null in test mode, which never writes to anybody. */
  message: Message | null;
}>;

/**
 * Makes a contact's next code, which takes the earlier one's place (completions.md 3). It asks
 * nothing about the contact, so that a known one and an unknown one cost the same.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms; SERVICE_UNAVAILABLE when the codes cannot be
 * counted.
 */
export async function issueCode(
  ctx: CodeContext,
  { contact, address }: { contact: Contact; address: string },
): Promise<IssuedCode> {
  const code = newCode(ctx.audience.mode, ctx.random);
  const expiresAt = ctx.now() + codeLifetimeMs;
  const [ofContact, ofAddress, ofCode] = await Promise.all([
    contactDigest(ctx, contact),
    addressDigest(ctx, address),
    codeDigest(ctx, contact, code),
  ]);
  const issued = await codeRepo(ctx).issue({
    contactDigest: ofContact,
    addressDigest: ofAddress,
    codeDigest: ofCode,
    expiresAt,
  });
  if (!issued.isIssued) throw tooSoon(issued.freeAt - ctx.now());
  return {
    id: issued.id,
    deliveryChannel: contact.type === "phone" ? "sms" : "email",
    expiresInSeconds: codeLifetimeMs / second,
    nextResendInSeconds: resendAfterMs / second,
    message: ctx.audience.mode === "test" ? null : messageWith(ctx, { contact, code, expiresAt }),
  };
}

/**
 * Takes back a code whose message was never on its way: it counts for no limit, and the code before
 * it is good again while it lasts.
 */
export const withdrawCode = (ctx: CodeContext, { id }: Pick<IssuedCode, "id">): Promise<void> =>
  codeRepo(ctx).withdraw(id);

const tooSoon = (waitMs: number) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many one-time codes; wait and try again.",
    context: { retry_after_ms: Math.max(waitMs, 1) },
  });

function messageWith(
  { audience, newId }: CodeContext,
  { contact, code, expiresAt }: { contact: Contact; code: string; expiresAt: number },
): Message {
  const sender = nameOf(audience);
  const common = {
    id: newId("msg"),
    to: contact.value,
    text: `${code} is your code for ${sender}. It is valid for ${codeLifetimeMs / minute} minutes. Tell it to nobody.`,
    expiresAt,
  };
  return contact.type === "phone"
    ? { ...common, channel: "sms" }
    : { ...common, channel: "email", subject: `Your code for ${sender}` };
}

/** One line, and short enough for one SMS. */
const nameOf = ({ name }: Audience): string => name.replace(/\s+/g, " ").trim().slice(0, 60);
