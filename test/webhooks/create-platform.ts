import { env } from "cloudflare:workers";
import { httpbis } from "http-message-signatures";
import { createPlatformWebhooks } from "../../functions/background/platform-webhooks.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import type { SigningKey } from "../../shared/agents/index.ts";
import { minute } from "../../shared/kernel/index.ts";
import {
  createDeliveries,
  deliverDue,
  type OutgoingWebhook,
  type SendOutcome,
  type SendWebhook,
  type WebhookContext,
} from "../../shared/webhooks/index.ts";
import { createAgentOrder } from "../support/create-agent-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { createBusiness, merchant } from "../support/world.ts";
import { createWebhookContext, okOutcome, unlimitedRun } from "./create-webhooks.ts";

const es256 = { name: "ECDSA", hash: "SHA-256" };

/** A key pair of a business. */
export async function createBusinessKey() {
  // Safe: an asymmetric algorithm gives a pair.
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  return { key: { kid: "key-1", privateKey: pair.privateKey }, publicKey: pair.publicKey };
}

/** A run that composes and signs webhooks to platforms with this key. */
export const platformRun = (key: SigningKey | null, now: () => number) => {
  const { loadPayloads, sign } = createPlatformWebhooks({
    ...{ settings: settingsOf(env), now },
    loadKey: async () => key,
  });
  return { ...unlimitedRun(), loadPlatformPayloads: loadPayloads, signPlatformWebhook: sign };
};

/** Whether a platform that knows the public key accepts the webhook, as another implementation verifies it. */
export async function isAcceptedByPlatform(
  { url, headers, body }: OutgoingWebhook,
  publicKey: CryptoKey,
  now: number,
  kid = "key-1",
): Promise<boolean> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body));
  const expected = `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(digest)))}:`;
  if (headers["Content-Digest"] !== expected) return false;
  const verified = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) =>
        keyid === kid
          ? {
              id: kid,
              algs: ["ecdsa-p256-sha256"],
              verify: (data, signature) =>
                crypto.subtle.verify(
                  es256,
                  publicKey,
                  new Uint8Array(signature),
                  new Uint8Array(data),
                ),
            }
          : null,
      requiredFields: [
        "@method",
        "@authority",
        "@path",
        "content-digest",
        "ucp-agent",
        "webhook-id",
      ],
      notAfter: new Date(now + 60_000),
    },
    { method: "POST", url, headers: { ...headers } },
  );
  return verified === true;
}

/** A platform that records its webhooks. */
export function createPlatform(
  outcomeFor: (webhook: OutgoingWebhook) => SendOutcome = () => okOutcome,
) {
  const received: OutgoingWebhook[] = [];
  const send: SendWebhook = async (webhook) => {
    received.push(webhook);
    await new Promise((resolve) => setTimeout(resolve, 1)); // lets other calls run
    return outcomeFor(webhook);
  };
  return { received, send };
}

export const orderIn = ({ body }: OutgoingWebhook) => JSON.parse(body);
export const eventIdOf = ({ headers }: OutgoingWebhook) => headers["Webhook-Id"];

export const deliveryAddress = { street_address: "12 Ring Road", city: "Accra", country: "GH" };

/** A shop with a product, whose business signs with a key of its own. */
export async function createSigningShop() {
  const shop = await createBusiness();
  const product = await createProduct(shop, { name: "Tea" });
  await setStock(shop, product, 50);
  const keys = await createBusinessKey();
  const clock = { now: Date.now() + minute };
  const ctx: WebhookContext = { ...createWebhookContext(shop), now: () => clock.now };
  return {
    ...{ shop, product, keys, clock, ctx, ask: merchant(shop) },
    placeOrder: (options: Parameters<typeof createAgentOrder>[2] = {}) =>
      createAgentOrder(shop, product.id, {
        ...options,
        fields: { orderType: "delivery", addressInfo: deliveryAddress, ...options.fields },
      }),
    /** Creates the deliveries of all events and sends those that are due. */
    async deliver(send: SendWebhook, key: SigningKey | null = keys.key): Promise<void> {
      await createDeliveries(ctx);
      await deliverDue(ctx, { ...platformRun(key, ctx.now), send });
    },
  };
}
