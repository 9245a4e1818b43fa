import { z } from "zod";
import { parseJson } from "../../kernel/index.ts";
import { fromPaystackReference } from "./reference.ts";

/** A webhook from Paystack. `reference` is in our form (`ref_…`). */
export type PaystackWebhook =
  | Readonly<{ type: "charge"; event: string; reference: string }>
  | Readonly<{ type: "refund"; event: string; reference: string }>
  | Readonly<{ type: "other" }>;

const ChargeData = z.object({ reference: z.string().min(1).max(200) });
const RefundData = z.object({ transaction_reference: z.string().min(1).max(200) });
const WebhookBody = z.object({ event: z.string().max(100), data: z.unknown().optional() });

/**
 * Parses a webhook's body. Returns null for an invalid signature, which is the hex HMAC-SHA-512 of
 * the raw body with our secret key. Amounts are ignored, because the caller verifies the payment
 * with Paystack.
 */
export async function parsePaystackWebhook(
  body: ArrayBuffer,
  { signature, secretKey }: Readonly<{ signature: string; secretKey: string }>,
): Promise<PaystackWebhook | null> {
  if (!(await verifySignature(body, signature, secretKey))) return null;
  const webhook = WebhookBody.safeParse(parseJson(new TextDecoder().decode(body)));
  if (!webhook.success) return { type: "other" };
  const { event, data } = webhook.data;
  if (event === "charge.success") {
    const charge = ChargeData.safeParse(data);
    if (charge.success)
      return { type: "charge", event, reference: fromPaystackReference(charge.data.reference) };
  }
  if (event.startsWith("refund.")) {
    const refund = RefundData.safeParse(data);
    if (refund.success)
      return {
        type: "refund",
        event,
        reference: fromPaystackReference(refund.data.transaction_reference),
      };
  }
  return { type: "other" };
}

/** Verifies the signature in constant time, so that the duration does not help to forge it. */
async function verifySignature(
  body: ArrayBuffer,
  signature: string,
  secret: string,
): Promise<boolean> {
  const signatureBytes = parseSha512Hex(signature);
  if (signatureBytes === null) return false;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-512" },
    false,
    ["verify"],
  );
  return crypto.subtle.verify("HMAC", key, signatureBytes, body);
}

const sha512Hex = /^[0-9a-f]{128}$/i;

function parseSha512Hex(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!sha512Hex.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
