import type { webhooks } from "./generated/storefront-types.ts";

type Payload<H> = H extends {
  post: { requestBody: { content: { "application/json": infer P } } };
}
  ? P
  : never;

/** The event of a webhook. Its `type` decides what its `data` holds. */
export type WebhookEvent = Payload<webhooks[keyof webhooks]>;

/** A request that did not come from Duka, was changed on its way, or is too old. */
export class WebhookSignatureError extends Error {
  override readonly name = "WebhookSignatureError";
}

/** How far the sender's clock may differ, as Standard Webhooks recommends. */
const toleranceSeconds = 300;

/**
 * The event of a webhook request, after its signature and its time were verified. Reads the body.
 *
 * @param secret the webhook's secret, `whsec_…`, or several while one is being replaced.
 * @throws WebhookSignatureError. Answer such a request with 400.
 */
export async function verifyWebhook(
  request: Request,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const { headers } = request;
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const body = await request.text();
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp ?? Number.NaN));
  if (!(ageSeconds <= toleranceSeconds)) {
    throw new WebhookSignatureError(
      "webhook-timestamp is missing or not of the last five minutes.",
    );
  }
  const signatures = (headers.get("webhook-signature") ?? "").split(" ");
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await importKey(one);
    for (const signature of signatures) {
      const bytes = signature.startsWith("v1,") ? decodeBase64(signature.slice(3)) : null;
      // Web Crypto compares in constant time.
      if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed)))
        return JSON.parse(body);
    }
  }
  throw new WebhookSignatureError("No signature of webhook-signature is of this secret.");
}

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ""));
  if (!bytes?.length) throw new WebhookSignatureError("The secret is not one of a webhook.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

/** Null for text that is not base64. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
