import { endKey } from "./change-key.ts";
import type { OperatorContext } from "./context.ts";
import type { ApiKey } from "./key.ts";
import { businessRepo } from "./repo.ts";

/**
 * As `revokeKey`, of an organization's key, which none of its businesses may revoke.
 *
 * @throws Refusal NOT_FOUND, for another organization's key too.
 */
export async function revokeOrganizationKey(
  { core, contextIn }: OperatorContext,
  { organizationId, id }: Readonly<{ organizationId: string; id: string }>,
): Promise<ApiKey> {
  const { key, business } = await businessRepo(core).getOrganizationKey(organizationId, id);
  return endKey({ ...contextIn(business), core }, key);
}
