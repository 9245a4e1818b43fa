import { Webhook } from "standardwebhooks";
import { hmacBytes, hmacSha256, second } from "../kernel/index.ts";

export type WebhookSecretId = Readonly<{ subscriptionId: string; generation: number }>;

/**
 * Derives the secret of a webhook subscription: `whsec_` and 32 bytes in base64. The secret is not
 * stored, so that a copy of the database does not allow anybody to sign.
 */
export async function deriveWebhookSecret(
  signingSecret: string,
  { subscriptionId, generation }: WebhookSecretId,
): Promise<string> {
  const bytes = await hmacBytes(signingSecret, `${subscriptionId}.${generation}`);
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}

export type SignedDelivery = Readonly<{
  eventId: string;
  body: string;
  /** The time of this attempt, in epoch milliseconds. */
  at: number;
  /** The current secret first, then replaced secrets that still sign. */
  secrets: readonly [string, ...string[]];
}>;

/**
 * The signature headers of a webhook (docs/contract/events.md#webhook-headers).
 * `X-Service-Signature` signs the raw body. The `webhook-…` headers follow Standard Webhooks, with
 * a signature for each secret.
 */
export async function signatureHeaders({
  eventId,
  body,
  at,
  secrets,
}: SignedDelivery): Promise<Readonly<Record<string, string>>> {
  const sentAt = new Date(at);
  return {
    "X-Service-Signature": await hmacSha256(secrets[0], body),
    "webhook-id": eventId,
    "webhook-timestamp": String(Math.floor(at / second)),
    "webhook-signature": secrets
      .map((secret) => new Webhook(secret).sign(eventId, sentAt, body))
      .join(" "),
  };
}
