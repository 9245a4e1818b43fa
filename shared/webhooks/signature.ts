import { Webhook } from "standardwebhooks";
import { hmacSha256, second } from "../kernel/index.ts";

export type Signed = Readonly<{
  eventId: string;
  body: string;
  /** Epoch milliseconds of this attempt. */
  at: number;
  /** The current secret first, then those that are still honoured. */
  secrets: readonly [string, ...string[]];
}>;

/**
 * The headers that prove who sent a body: `X-Service-Signature` of the contract (hex over the raw
 * body, the secret's text as its UTF-8 bytes), and those of Standard Webhooks, one signature a secret.
 */
export async function signatureHeaders({
  eventId,
  body,
  at,
  secrets,
}: Signed): Promise<Readonly<Record<string, string>>> {
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
