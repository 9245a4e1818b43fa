import { Webhook } from "standardwebhooks";
import { hmacBytes, hmacSha256, second } from "../kernel/index.ts";
import type { SigningSecrets, WebhookSettings } from "./context.ts";
import type { DueDelivery } from "./delivery.ts";

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

/**
 * An id of a signing secret of the deployment. A subscription stores it, so that its receiver can
 * verify with the secret that it knows after the deployment got a new one.
 */
export const signingSecretId = async (signingSecret: string): Promise<string> =>
  (await hmacSha256(signingSecret, "signing secret id")).slice(0, 16);

/**
 * The deployment's signing secret with this id; undefined when it was removed. Without an id it is
 * the oldest one.
 */
async function findSigningSecret(
  secrets: SigningSecrets,
  id: string | null,
): Promise<string | undefined> {
  if (id === null) return secrets.at(-1);
  const ids = await Promise.all(secrets.map(signingSecretId));
  return secrets[ids.indexOf(id)];
}

/** Whether the deployment got a new signing secret after this webhook's secret was derived. */
export const isSecretOutdated = async (
  { signingSecrets }: Pick<WebhookSettings, "signingSecrets">,
  webhook: Readonly<{ signingSecretId: string | null }>,
): Promise<boolean> =>
  (await findSigningSecret(signingSecrets, webhook.signingSecretId)) !== signingSecrets[0];

type SecretHolder = Pick<
  DueDelivery["subscription"],
  "id" | "secretGeneration" | "signingSecretId" | "retiredSecrets"
>;

/**
 * The secrets that sign for a webhook subscription now: its current one, then replaced ones. Those
 * of a signing secret that was removed no longer sign (docs/contract/events.md#webhook-secret).
 */
export async function deriveValidSecrets(
  { signingSecrets }: Pick<WebhookSettings, "signingSecrets">,
  { id: subscriptionId, retiredSecrets, ...current }: SecretHolder,
  now: number,
): Promise<readonly [string, ...string[]]> {
  const currentSigning = await findSigningSecret(signingSecrets, current.signingSecretId);
  const retired = retiredSecrets
    .filter(({ expiresAt }) => expiresAt > now)
    .map(async ({ generation, signingSecretId: id = null }) => {
      const signingSecret = await findSigningSecret(signingSecrets, id);
      if (signingSecret === undefined) return [];
      return [await deriveWebhookSecret(signingSecret, { subscriptionId, generation })];
    });
  const generation = current.secretGeneration;
  return [
    await deriveWebhookSecret(currentSigning ?? signingSecrets[0], { subscriptionId, generation }),
    ...(await Promise.all(retired)).flat(),
  ];
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
