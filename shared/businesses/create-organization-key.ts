import type { Mode } from "../kernel/index.ts";
import { addKey, type CreatedKey, demandFitting, type NewKey } from "./change-key.ts";
import type { OperatorContext } from "./context.ts";
import { businessRepo } from "./repo.ts";

/**
 * Makes a key of a whole organization (completions.md 2): it serves every business of it in the key's
 * mode, the later ones too, and so is the operator's to make and not a business's. The entry of it
 * stands in the log of the organization's default business.
 *
 * @param mode null for that of the default business.
 * @throws Refusal VALIDATION_ERROR, NOT_FOUND
 */
export async function createOrganizationKey(
  { core, contextIn }: OperatorContext,
  { organizationId, mode, ...wanted }: NewKey & { organizationId: string; mode: Mode | null },
): Promise<CreatedKey> {
  demandFitting(wanted);
  const home = await businessRepo(core).getDefaultOf(organizationId);
  return addKey(
    { ...contextIn(home), core },
    {
      ...wanted,
      mode: mode ?? home.mode,
      owner: { type: "organization", id: organizationId },
    },
  );
}
