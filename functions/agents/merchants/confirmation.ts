import { canonicalJson, digestsEqual, hmacSha256, minute } from "../../../shared/kernel/index.ts";

/** How long a call may be confirmed. */
export const confirmationTtlMs = 10 * minute;

/** What a confirmation is for: nobody else, no other tool and no other input may use it. */
export type ConfirmedCall = Readonly<{
  businessId: string;
  callerId: string;
  tool: string;
  input: Readonly<Record<string, unknown>>;
}>;

/** Creates the text that confirms a call. Nothing is stored, so it holds what it was signed for. */
export async function createConfirmation(
  call: ConfirmedCall,
  { secret, now }: Readonly<{ secret: string; now: number }>,
): Promise<string> {
  const expiresAt = String(now + confirmationTtlMs);
  return `${expiresAt}.${await sign(call, expiresAt, secret)}`;
}

/** Whether the text confirms the call and has not expired. */
export async function isConfirmed(
  call: ConfirmedCall,
  confirmation: string,
  { secret, now }: Readonly<{ secret: string; now: number }>,
): Promise<boolean> {
  const [, expiresAt, signature] = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(confirmation) ?? [];
  if (expiresAt === undefined || signature === undefined || Number(expiresAt) < now) return false;
  return digestsEqual(signature, await sign(call, expiresAt, secret));
}

const sign = (call: ConfirmedCall, expiresAt: string, secret: string): Promise<string> =>
  hmacSha256(secret, canonicalJson(["merchant tool confirmation", call, expiresAt]));
