import { z } from "zod";
import { minute, parseJson, second } from "../../kernel/index.ts";
import { metadataKeys } from "./objects.ts";

/** A webhook from Stripe. Its amounts and statuses are ignored: the caller asks Stripe for them. */
export type StripeWebhook =
  | Readonly<{ type: "charge"; event: string; reference: string; providerReference: string }>
  | Readonly<{ type: "refund"; event: string; reference: string }>
  | Readonly<{ type: "dispute"; event: string; disputeId: string }>
  | Readonly<{ type: "other" }>;

const shortText = z.string().min(1).max(255);
const Metadata = z.object({ [metadataKeys.reference]: shortText });
const SessionObject = z.object({ id: shortText, client_reference_id: shortText });
const IntentObject = z.object({ id: shortText, metadata: Metadata });
const RefundObject = z.object({ metadata: Metadata });
const DisputeObject = z.object({ id: shortText });
const WebhookBody = z.object({
  type: z.string().max(100),
  data: z.object({ object: z.unknown() }),
});

/** How old a signature may be, so that a webhook that somebody recorded cannot be sent again later. */
const toleranceMs = 5 * minute;

type SignedWebhook = Readonly<{
  /** The bytes as they were received. */
  body: ArrayBuffer;
  /** The header `Stripe-Signature`. */
  signature: string;
  /** The secret of the webhook endpoint, `whsec_…`. */
  secret: string;
  now: number;
}>;

/** Parses a webhook. Returns null for a signature that is wrong, missing or older than 5 minutes. */
export async function parseStripeWebhook(webhook: SignedWebhook): Promise<StripeWebhook | null> {
  if (!(await hasValidSignature(webhook))) return null;
  const parsed = WebhookBody.safeParse(parseJson(new TextDecoder().decode(webhook.body)));
  return parsed.success ? toWebhook(parsed.data.type, parsed.data.data.object) : { type: "other" };
}

function toWebhook(event: string, object: unknown): StripeWebhook {
  if (event.startsWith("checkout.session.")) {
    const session = SessionObject.safeParse(object);
    if (!session.success) return { type: "other" };
    const { id, client_reference_id: reference } = session.data;
    return { type: "charge", event, reference, providerReference: id };
  }
  if (event.startsWith("payment_intent.")) {
    const intent = IntentObject.safeParse(object);
    if (!intent.success) return { type: "other" };
    const { id, metadata } = intent.data;
    const reference = metadata[metadataKeys.reference];
    return { type: "charge", event, reference, providerReference: id };
  }
  if (event.startsWith("charge.dispute.")) {
    const dispute = DisputeObject.safeParse(object);
    return dispute.success
      ? { type: "dispute", event, disputeId: dispute.data.id }
      : { type: "other" };
  }
  if (/^(?:charge\.refund|refund\.)/.test(event)) {
    const refund = RefundObject.safeParse(object);
    return refund.success
      ? { type: "refund", event, reference: refund.data.metadata[metadataKeys.reference] }
      : { type: "other" };
  }
  return { type: "other" };
}

/**
 * Whether one of the header's `v1` signatures is the HMAC-SHA-256 of `timestamp.body`. There are
 * several while the secret is rotated. Each is compared in constant time.
 */
async function hasValidSignature({ body, signature, secret, now }: SignedWebhook) {
  const { timestamp, signatures } = parseSignature(signature);
  if (timestamp === null || Math.abs(now - timestamp * second) > toleranceMs) return false;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.byteLength + body.byteLength);
  signed.set(prefix);
  signed.set(new Uint8Array(body), prefix.byteLength);
  const matches = await Promise.all(
    signatures.map((one) => crypto.subtle.verify("HMAC", key, one, signed)),
  );
  return matches.includes(true);
}

/** Enough for a secret that is rotated, so that a long header costs nothing. */
const maxSignatures = 5;
const sha256Hex = /^[0-9a-f]{64}$/i;

/** The parts of `t=1700000000,v1=…,v1=…,v0=…`. */
function parseSignature(header: string) {
  const parts = header.split(",", 20).map((part) => part.trim().split("=", 2));
  const valuesOf = (name: string) =>
    parts.flatMap(([key, value]) => (key === name && value !== undefined ? [value] : []));
  const [timestamp = ""] = valuesOf("t");
  return {
    timestamp: /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : null,
    signatures: valuesOf("v1")
      .filter((value) => sha256Hex.test(value))
      .slice(0, maxSignatures)
      .map(bytesOfHex),
  };
}

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
