import { digestsEqual, hmacSha256 } from "../../shared/kernel/index.ts";
import { deriveSecret } from "./secrets.ts";
import type { Settings } from "./settings.ts";

/** The agent's session that a link hands over to its buyer, and until when. */
export type SessionHandOver = Readonly<{
  businessId: string;
  sessionId: string;
  expiresAt: number;
}>;

type HandOverSettings = Pick<Settings, "sessionSecret">;

const tokenForm =
  /^(?<business>[0-9a-z]{1,40})-(?<session>[0-9a-z]{1,40})-(?<expiry>[0-9a-z]{1,10})-[0-9a-f]{32}$/;
/** 128 bits in hex, which nobody guesses online. */
const signatureLength = 32;

/**
 * The address at which a buyer continues an agent's cart or checkout (docs/agents.md#handing-over).
 *
 * @param shopUrl where the hosted shop begins, without a slash at its end.
 */
export const continueUrlFor = async (
  settings: HandOverSettings,
  shopUrl: string,
  handOver: SessionHandOver,
): Promise<string> => `${shopUrl}/continue/${await createHandOverToken(settings, handOver)}`;

async function createHandOverToken(
  settings: HandOverSettings,
  { businessId, sessionId, expiresAt }: SessionHandOver,
): Promise<string> {
  const expiry = expiresAt.toString(36);
  const ids = [businessId.slice("biz_".length), sessionId.slice("ses_".length)];
  const content = [...ids, expiry].join("-");
  return `${content}-${await sign(settings, content)}`;
}

/** What a token was signed for, also when it has expired; null for a malformed or forged one. */
export async function parseHandOverToken(
  settings: HandOverSettings,
  token: string,
): Promise<SessionHandOver | null> {
  const parts = tokenForm.exec(token)?.groups;
  if (!parts) return null;
  const signature = await sign(settings, token.slice(0, -signatureLength - 1));
  if (!digestsEqual(token.slice(-signatureLength), signature)) return null;
  return {
    businessId: `biz_${parts.business}`,
    sessionId: `ses_${parts.session}`,
    expiresAt: Number.parseInt(parts.expiry ?? "", 36),
  };
}

async function sign(settings: HandOverSettings, content: string): Promise<string> {
  const secret = await deriveSecret(settings, "agent hand-overs");
  return (await hmacSha256(secret, content)).slice(0, signatureLength);
}
