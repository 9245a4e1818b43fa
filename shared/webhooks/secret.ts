import { hmacBytes } from "../kernel/index.ts";

export type SecretOwner = Readonly<{ subscriptionId: string; generation: number }>;

/**
 * A subscription's secret, `whsec_` and 32 bytes in base64. It is derived whenever it is needed and
 * stored nowhere, so that reading the database does not let anyone sign.
 */
export async function secretOf(
  signingSecret: string,
  { subscriptionId, generation }: SecretOwner,
): Promise<string> {
  const bytes = await hmacBytes(signingSecret, `${subscriptionId}.${generation}`);
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
}
