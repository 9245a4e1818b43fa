import { Webhook } from "standardwebhooks";
import { hmacBytes, hmacSha256, second } from "../kernel/index.ts";

export type WebhookSecretId = Readonly<{ subscriptionId: string; generation: number }>;

/**
 * A subscription's secret: `whsec_` and 32 bytes in base64. It is derived and never stored, so that
 * reading the database does not let anyone sign.
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
  /** Epoch milliseconds of this attempt. */
  at: number;
  /** The current secret first, then the replaced ones that still sign. */
  secrets: readonly [string, ...string[]];
}>;

/**
 * The signature headers of a webhook (docs/contract/events.md#webhook-headers): our own, in hex over
 * the raw body, and those of Standard Webhooks with one signature per secret.
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
