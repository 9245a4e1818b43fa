import type { Contact } from "../customers/index.ts";
import type { Write } from "../database/index.ts";
import { Refusal } from "../kernel/index.ts";
import type { CodeContext, CodeStore } from "./context.ts";
import { digestCode, digestContact, digestNetwork } from "./digests.ts";
import { type CodeProof, codeRepo, forgetNetworks } from "./repo.ts";

/** A contact and the code with which the caller proves to own it. */
type ProvenContact = Readonly<{ contact: Contact; code: string }>;

/**
 * Verifies that the caller owns a contact: the caller must know a code that was sent to it. A code
 * works once and ends with the fifth wrong try. Two of the five are for networks that neither requested
 * it nor are known, so that they cannot spend the owner's (docs/contract/conventions.md#otp-limits).
 *
 * @throws Refusal UNAUTHORIZED, the same for a wrong, used, expired or unknown code;
 *   SERVICE_UNAVAILABLE when the database does not respond.
 */
export async function redeemCode(
  ctx: CodeContext,
  { network, ...proven }: ProvenContact & Readonly<{ network: string }>,
): Promise<void> {
  const [proof, addressDigest] = await Promise.all([
    digestProof(ctx, proven),
    digestNetwork(ctx, network),
  ]);
  if (await codeRepo(ctx).redeemAll([proof], addressDigest)) return;
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
  { proofs, network }: Readonly<{ proofs: readonly ProvenContact[]; network: string }>,
): Promise<boolean> {
  const [digests, addressDigest] = await Promise.all([
    Promise.all(proofs.map((proof) => digestProof(ctx, proof))),
    digestNetwork(ctx, network),
  ]);
  return codeRepo(ctx).redeemAll(digests, addressDigest);
}

/** The write after which no network is known to the contact, as its erasure needs. */
export async function forgetKnownNetworks(ctx: CodeStore, contact: Contact): Promise<[Write]> {
  return [forgetNetworks(ctx, await digestContact(ctx, contact))];
}

async function digestProof(ctx: CodeContext, { contact, code }: ProvenContact): Promise<CodeProof> {
  const [contactDigest, codeDigest] = await Promise.all([
    digestContact(ctx, contact),
    digestCode(ctx, contact, code),
  ]);
  return { contactDigest, codeDigest };
}
