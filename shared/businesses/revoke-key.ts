import { endKey } from "./change-key.ts";
import type { MerchantContext } from "./context.ts";
import type { ApiKey } from "./key.ts";
import { keyRepo } from "./key-repo.ts";

/**
 * Revokes a key; again changes nothing. It stops working within 10 seconds, when the last isolate
 * forgets it (completions.md 2).
 *
 * @throws Refusal NOT_FOUND
 */
export async function revokeKey(ctx: MerchantContext, id: string): Promise<ApiKey> {
  const owner = { type: "business", id: ctx.business.id } as const;
  return endKey(ctx, await keyRepo(ctx.core, owner).get(id));
}
