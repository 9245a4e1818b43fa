import { digestsEqual, hmacSha256 } from "../../shared/kernel/index.ts";
import { deriveSecret } from "../runtime/secrets.ts";
import type { Settings } from "../runtime/settings.ts";

/** The order that a payment link opens, and until when it can be paid there. */
export type PaymentLink = Readonly<{ businessId: string; orderId: string; expiresAt: number }>;

type SigningSettings = Pick<Settings, "sessionSecret">;

const tokenForm =
  /^(?<business>[0-9a-z]{1,40})-(?<order>[0-9a-z]{1,40})-(?<expiry>[0-9a-z]{1,10})-[0-9a-f]{32}$/;
/** 128 bits in hex, which nobody guesses online. */
const signatureLength = 32;

/**
 * The token of a payment link: the ids, the expiry and their signature. Nothing is stored, so a
 * copy of the database opens no link.
 */
export async function createPaymentLinkToken(
  settings: SigningSettings,
  { businessId, orderId, expiresAt }: PaymentLink,
): Promise<string> {
  const expiry = expiresAt.toString(36);
  const content = [businessId.slice("biz_".length), orderId.slice("ord_".length), expiry].join("-");
  return `${content}-${await sign(settings, content)}`;
}

/** What a token was signed for, also when it has expired; null for a malformed or forged one. */
export async function parsePaymentLinkToken(
  settings: SigningSettings,
  token: string,
): Promise<PaymentLink | null> {
  const parts = tokenForm.exec(token)?.groups;
  if (!parts) return null;
  const content = token.slice(0, -signatureLength - 1);
  if (!digestsEqual(token.slice(-signatureLength), await sign(settings, content))) return null;
  return {
    businessId: `biz_${parts.business}`,
    orderId: `ord_${parts.order}`,
    expiresAt: Number.parseInt(parts.expiry ?? "", 36),
  };
}

async function sign(settings: SigningSettings, content: string): Promise<string> {
  const secret = await deriveSecret(settings, "payment links");
  return (await hmacSha256(secret, content)).slice(0, signatureLength);
}
