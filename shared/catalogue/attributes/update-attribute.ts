import { type Context, commit } from "../../database/index.ts";
import { nextUpdate } from "../../kernel/index.ts";
import { changedMeanwhile } from "../change-record.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type AttributeOwner, type AttributePatch, patchedAttribute } from "./attribute.ts";
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
    const { attribute: before } = record;
    // Whose it is already may have been archived since.
    if (patch.owner && !hasOwner && !isSameOwner(patch.owner, before.owner)) {
      throw noOwner(patch.owner);
    }
    const after = patchedAttribute(before, patch);
    const updatedAt = nextUpdate(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "attribute.updated", entity: id, before, after }],
      refusals: {
        "attributes.key": keyTaken,
        ...changedMeanwhile("attributes", "attribute"),
      },
    });
    return { attribute: after, updatedAt, archivedAt: null };
  });
}

const isSameOwner = (one: AttributeOwner, other: AttributeOwner): boolean =>
  one.categoryId === other.categoryId && one.collectionId === other.collectionId;
