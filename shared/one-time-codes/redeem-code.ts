import type { Contact } from "../customers/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { CodeContext } from "./context.ts";
import { codeDigest, contactDigest } from "./digests.ts";
import { codeRepo } from "./repo.ts";

/**
 * Proves that a contact is the caller's by the code that was sent there. A code works once; the
 * fifth wrong try spends it (completions.md 3).
 *
 * @throws Refusal UNAUTHORIZED, the same for a wrong, spent, expired or never issued code;
 * SERVICE_UNAVAILABLE when the tries cannot be counted.
 */
export async function redeemCode(
  ctx: CodeContext,
  { contact, code }: { contact: Contact; code: string },
): Promise<void> {
  const [ofContact, ofCode] = await Promise.all([
    contactDigest(ctx, contact),
    codeDigest(ctx, contact, code),
  ]);
  if (await codeRepo(ctx).redeem(ofContact, ofCode)) return;
  throw new Refusal({
    code: "UNAUTHORIZED",
    message: "The code is wrong, spent or expired; ask for a new one.",
  });
}
