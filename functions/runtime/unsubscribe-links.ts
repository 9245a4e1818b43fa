import { digestsEqual, hmacSha256 } from "../../shared/kernel/index.ts";
import type { MessageKey } from "../../shared/messages/index.ts";
import { deriveSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

type SigningSettings = Pick<Settings, "sessionSecret">;

const tokenForm = /^(?<business>[0-9a-z]{1,40})-(?<message>[0-9a-z]{1,40})-[0-9a-f]{32}$/;
/** 128 bits in hex, which nobody guesses online. */
const signatureLength = 32;

/**
 * The token of a link to unsubscribe: the message, whose address is unsubscribed, and a signature. It
 * holds no address, and works as long as the log keeps the message.
 */
export async function createUnsubscribeToken(
  settings: SigningSettings,
  { businessId, messageId }: MessageKey,
): Promise<string> {
  const content = `${businessId.slice("biz_".length)}-${messageId.slice("msg_".length)}`;
  return `${content}-${await sign(settings, content)}`;
}

/** The message of a token; null for a malformed or forged one. */
export async function parseUnsubscribeToken(
  settings: SigningSettings,
  token: string,
): Promise<MessageKey | null> {
  const parts = tokenForm.exec(token)?.groups;
  if (!parts) return null;
  const signature = await sign(settings, token.slice(0, -signatureLength - 1));
  if (!digestsEqual(token.slice(-signatureLength), signature)) return null;
  return { businessId: `biz_${parts.business}`, messageId: `msg_${parts.message}` };
}

async function sign(settings: SigningSettings, content: string): Promise<string> {
  const secret = await deriveSecret(settings, "unsubscribe links");
  return (await hmacSha256(secret, content)).slice(0, signatureLength);
}
