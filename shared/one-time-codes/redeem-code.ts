import type { Contact } from "../customers/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { CodeContext } from "./context.ts";
import { digestCode, digestContact } from "./digests.ts";
import { type CodeProof, codeRepo } from "./repo.ts";

/** A contact and the code with which the caller proves to own it. */
type ProvenContact = Readonly<{ contact: Contact; code: string }>;

/**
 * Verifies that the caller owns a contact: the caller must know the code that was sent to it. A
 * code works once, and five wrong attempts invalidate it (docs/contract/conventions.md#otp-limits).
 *
 * @throws Refusal UNAUTHORIZED, the same for a wrong, used, expired or unknown code;
 *   SERVICE_UNAVAILABLE when the database does not respond.
 */
export async function redeemCode(
  ctx: CodeContext,
  { contact, code }: ProvenContact,
): Promise<void> {
  const { contactDigest, codeDigest } = await digestProof(ctx, { contact, code });
  if (await codeRepo(ctx).redeem(contactDigest, codeDigest)) return;
  throw new Refusal({
    code: "UNAUTHORIZED",
    message: "The code is wrong, spent or expired; ask for a new one.",
  });
}

/**
 * Verifies that the caller owns several contacts. Either all codes are redeemed, or none is and each
 * wrong one counts as an attempt. Returns whether all of them were right.
 */
export async function redeemCodes(
  ctx: CodeContext,
  proofs: readonly ProvenContact[],
): Promise<boolean> {
  return codeRepo(ctx).redeemAll(await Promise.all(proofs.map((proof) => digestProof(ctx, proof))));
}

async function digestProof(ctx: CodeContext, { contact, code }: ProvenContact): Promise<CodeProof> {
  const [contactDigest, codeDigest] = await Promise.all([
    digestContact(ctx, contact),
    digestCode(ctx, contact, code),
  ]);
  return { contactDigest, codeDigest };
}
