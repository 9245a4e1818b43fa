import { z } from "zod";
import { jsonIn } from "../kernel/index.ts";
import { ourReference } from "./paystack-reference.ts";

/** What Paystack tells by its webhook; `reference` is ours. */
export type PaystackNotice =
  | Readonly<{ type: "charge"; event: string; reference: string }>
  | Readonly<{ type: "refund"; event: string; reference: string }>
  | Readonly<{ type: "other" }>;

const Charge = z.object({ reference: z.string().min(1).max(200) });
const Refund = z.object({ transaction_reference: z.string().min(1).max(200) });
const Notice = z.object({ event: z.string().max(100), data: z.unknown().optional() });

/**
 * A webhook's body, read only when it bears Paystack's signature: the HMAC-SHA-512 of the raw bytes
 * under our secret key, as hex (completions.md 6). Null when it does not. Amounts are not read: the
 * provider is asked.
 */
export async function readPaystackNotice(
  body: ArrayBuffer,
  { signature, secretKey }: Readonly<{ signature: string; secretKey: string }>,
): Promise<PaystackNotice | null> {
  if (!(await isSigned(body, signature, secretKey))) return null;
  const notice = Notice.safeParse(jsonIn(new TextDecoder().decode(body)));
  if (!notice.success) return { type: "other" };
  const { event, data } = notice.data;
  if (event === "charge.success") {
    const charge = Charge.safeParse(data);
    if (charge.success)
      return { type: "charge", event, reference: ourReference(charge.data.reference) };
  }
  if (event.startsWith("refund.")) {
    const refund = Refund.safeParse(data);
    if (refund.success)
      return { type: "refund", event, reference: ourReference(refund.data.transaction_reference) };
  }
  return { type: "other" };
}

/** `verify` compares in constant time. */
async function isSigned(body: ArrayBuffer, signature: string, secret: string): Promise<boolean> {
  const given = bytesOfHex(signature);
  if (given === null) return false;
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(secret),
    { name: "HMAC", hash: "SHA-512" },
    false,
    ["verify"],
  );
  return crypto.subtle.verify("HMAC", key, given, body);
}

const sha512Hex = /^[0-9a-f]{128}$/i;

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!sha512Hex.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
