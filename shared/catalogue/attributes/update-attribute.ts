import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type AttributePatch, patchedAttribute } from "./attribute.ts";
import { type AttributeRecord, attributeRepo } from "./attribute-repo.ts";
import { keyTaken, noOwner } from "./create-attribute.ts";

/**
 * Changes the fields that are sent (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a key that is taken.
 */
export function updateAttribute(
  ctx: Context,
  id: string,
  patch: AttributePatch,
): Promise<AttributeRecord> {
  const repo = attributeRepo(ctx);
  return retryRaces(async () => {
    const { record, hasOwner } = await repo.getForUpdate(id, patch.owner);
    if (patch.owner && !hasOwner) throw noOwner(patch.owner);
    const { attribute: before } = record;
    const after = patchedAttribute(before, patch);
    const updatedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "attribute.updated", entity: id, before, after }],
      refusals: {
        "attributes.key": keyTaken,
        "attributes.updated_at": () =>
          conflict("The attribute changed meanwhile; try again.", { retryable: true }),
      },
    });
    return { attribute: after, updatedAt, isArchived: false };
  });
}
