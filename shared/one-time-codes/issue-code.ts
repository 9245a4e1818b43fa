import type { Contact } from "../customers/index.ts";
import { minute, Refusal, second } from "../kernel/index.ts";
import type { Channel } from "../messaging/index.ts";
import { codeTtlMs, generateCode, resendAfterMs } from "./code.ts";
import type { Audience, CodeContext } from "./context.ts";
import { digestCode, digestContact, digestNetwork } from "./digests.ts";
import { codeRepo, type MessageWriter } from "./repo.ts";

export type IssuedCode = Readonly<{
  deliveryChannel: Channel;
  expiresInSeconds: number;
  nextResendInSeconds: number;
}>;

/** The recipient and the contents of the message with a code. */
export type CodeToSend = Readonly<{
  channel: Channel;
  to: string;
  sender: string;
  code: string;
  minutes: number;
  expiresAt: number;
}>;

export type CodeRequest = Readonly<{
  contact: Contact;
  network: string;
  /**
   * Returns the write that queues the message, on the condition that the code is stored. Test mode
   * sends nothing.
   */
  writeMessage: (message: CodeToSend) => Promise<MessageWriter>;
}>;

/**
 * Issues a contact's next code and queues its message in the same batch. The code replaces the previous code that the same network requested.
 * Other networks' codes stay valid. The time that this takes does not reveal whether the contact is
 * known, because no customer or account is read.
 *
 * @throws Refusal RATE_LIMITED with retry_after_ms; SERVICE_UNAVAILABLE when the database does not
 *   respond.
 */
export async function issueCode(
  ctx: CodeContext,
  { contact, network, writeMessage }: CodeRequest,
): Promise<IssuedCode> {
  const code = generateCode(ctx.audience.mode, ctx.randomBytes);
  const expiresAt = ctx.now() + codeTtlMs;
  const [ofContact, ofAddress, ofCode] = await Promise.all([
    digestContact(ctx, contact),
    digestNetwork(ctx, network),
    digestCode(ctx, contact, code),
  ]);
  const deliveryChannel = contact.type === "phone" ? "sms" : "email";
  const toSend: CodeToSend = {
    ...{ channel: deliveryChannel, to: contact.value, sender: senderName(ctx.audience) },
    ...{ code, minutes: codeTtlMs / minute, expiresAt },
  };
  const issued = await codeRepo(ctx).issue(
    { contactDigest: ofContact, addressDigest: ofAddress, codeDigest: ofCode, expiresAt },
    ctx.audience.mode === "test" ? null : await writeMessage(toSend),
  );
  if (!issued.isIssued) throw tooManyCodes(issued.freeAt - ctx.now());
  return {
    deliveryChannel,
    expiresInSeconds: codeTtlMs / second,
    nextResendInSeconds: resendAfterMs / second,
  };
}

const tooManyCodes = (waitMs: number) =>
  new Refusal({
    code: "RATE_LIMITED",
    message: "Too many one-time codes; wait and try again.",
    context: { retry_after_ms: Math.max(waitMs, 1) },
  });

/** The audience's name on one line, cut to 60 characters so that the message fits in one SMS. */
const senderName = ({ name }: Audience): string => name.replace(/\s+/g, " ").trim().slice(0, 60);
