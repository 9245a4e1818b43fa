/** The header `Stripe-Signature` of a webhook, as Stripe documents it. */
export async function signStripeWebhook(
  body: string,
  { secret, now }: Readonly<{ secret: string; now: number }>,
): Promise<string> {
  const timestamp = Math.floor(now / 1_000);
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    "raw",
    encoder.encode(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const digest = await crypto.subtle.sign("HMAC", key, encoder.encode(`${timestamp}.${body}`));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
  return `t=${timestamp},v1=${hex.join("")}`;
}
