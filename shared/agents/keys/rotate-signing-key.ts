import { commitToCore, type MerchantContext } from "../../businesses/index.ts";
import { unavailable } from "../../kernel/index.ts";
import { createSealedKey, type KeyContext } from "./load-signing-key.ts";
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
  {
    keys,
    withdrawsEarlier,
  }: Readonly<{
    /** Stores a data key that is missing, which is no part of the change. */
    keys: KeyContext;
    withdrawsEarlier: boolean;
  }>,
): Promise<readonly PublishedKey[]> {
  if (keys.keyring.length === 0)
    throw unavailable("This deployment has no CREDENTIALS_KEY, so it cannot store signing keys.");
  const { core, business } = ctx;
  const repo = signingKeyRepo(core, business.id);
  const { key } = await createSealedKey(keys, business.id);
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
