import { commitToCore, type Keyring, type MerchantContext } from "../../businesses/index.ts";
import { unavailable } from "../../kernel/index.ts";
import { createSealedKey } from "./load-signing-key.ts";
import type { PublishedKey } from "./signing-key.ts";
import { signingKeyRepo } from "./signing-key-repo.ts";

/**
 * Replaces the key with which a business signs (docs/contract/business.md#agent-keys). Earlier keys
 * stay in the profile for a while, or leave it at once when they are withdrawn.
 *
 * @returns the keys that the profile shows from now on.
 * @throws Refusal SERVICE_UNAVAILABLE when the deployment has no CREDENTIALS_KEY.
 */
export async function rotateSigningKey(
  ctx: MerchantContext,
  { keyring, withdrawsEarlier }: Readonly<{ keyring: Keyring; withdrawsEarlier: boolean }>,
): Promise<readonly PublishedKey[]> {
  if (keyring.length === 0)
    throw unavailable("This deployment has no CREDENTIALS_KEY, so it cannot store signing keys.");
  const { core, business } = ctx;
  const repo = signingKeyRepo(core, business.id);
  const { key } = await createSealedKey({ ...ctx, keyring }, business.id);
  const now = ctx.now();
  const retire = withdrawsEarlier ? repo.deleteAll() : repo.retireActive(now);
  await commitToCore(ctx, {
    writes: [retire, repo.insert(key), repo.deleteExpired(now)],
    audit: {
      action: "agent_keys.rotated",
      entity: key.kid,
      before: null,
      after: { withdraws_earlier: withdrawsEarlier },
    },
  });
  return repo.listPublished(now);
}
