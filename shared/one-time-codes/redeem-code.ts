import type { Contact } from "../customers/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { CodeContext } from "./context.ts";
import { digestCode, digestContact } from "./digests.ts";
import { codeRepo } from "./repo.ts";

/**
 * Verifies that the caller owns a contact: the caller must know the code that was sent to it. A
 * code works once, and five wrong attempts invalidate it (docs/contract/conventions.md#otp-limits).
 *
 * @throws Refusal UNAUTHORIZED, the same for a wrong, used, expired or unknown code;
 *   SERVICE_UNAVAILABLE when the database does not respond.
 */
export async function redeemCode(
  ctx: CodeContext,
  { contact, code }: { contact: Contact; code: string },
): Promise<void> {
  const [ofContact, ofCode] = await Promise.all([
    digestContact(ctx, contact),
    digestCode(ctx, contact, code),
  ]);
  if (await codeRepo(ctx).redeem(ofContact, ofCode)) return;
  throw new Refusal({
    code: "UNAUTHORIZED",
    message: "The code is wrong, spent or expired; ask for a new one.",
  });
}
