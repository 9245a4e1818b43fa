import { changeCore } from "./change-core.ts";
import type { MerchantContext } from "./context.ts";
import type { ApiKey } from "./key.ts";
import { businessRepo } from "./repo.ts";

/**
 * Revokes a key; again changes nothing. It stops working within 10 seconds, when the last isolate
 * forgets it (completions.md 2).
 *
 * @throws Refusal NOT_FOUND
 */
export async function revokeKey(ctx: MerchantContext, id: string): Promise<ApiKey> {
  const repo = businessRepo(ctx.core);
  const key = await repo.getKey(ctx.business.id, id);
  if (key.revokedAt !== null) return key;
  const revoked = { ...key, revokedAt: ctx.now() };
  await changeCore(ctx, {
    writes: [repo.revokeKey(ctx.business.id, id, revoked.revokedAt)],
    audit: { action: "key.revoked", entity: id, before: key, after: revoked },
  });
  return revoked;
}
