import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { conflict, invalid, type Refusal } from "../../kernel/index.ts";
import { raiseCatalogueVersion } from "../catalogue-version-repo.ts";
import {
  type AttributeOwner,
  type AttributePatch,
  applyAttributePatch,
  type NewAttribute,
  requireValidAttribute,
} from "./attribute.ts";
import { type AttributeRecord, attributeRepo } from "./attribute-repo.ts";

/**
 * Creates an attribute of a category or a collection.
 *
 * @throws Refusal VALIDATION_ERROR naming the field; CONFLICT for a key that the owner already has.
 */
export async function createAttribute(ctx: Context, input: NewAttribute): Promise<AttributeRecord> {
  const repo = attributeRepo(ctx);
  const attribute = requireValidAttribute({ ...input, id: ctx.newId("attr") });
  if (!(await repo.ownerExists(input.owner))) throw unknownOwnerError(input.owner);
  const now = ctx.now();
  await commit(ctx, {
    writes: [repo.insert(attribute, now), raiseCatalogueVersion(ctx)],
    audit: [{ action: "attribute.created", entity: attribute.id, after: attribute }],
    refusals: { "attributes.key": duplicateKeyConflict },
  });
  return { attribute, updatedAt: now, archivedAt: null };
}

/**
 * Changes the fields that the patch contains.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR naming the field; CONFLICT for a key that the owner
 * already has.
 */
export function updateAttribute(
  ctx: Context,
  id: string,
  patch: AttributePatch,
): Promise<AttributeRecord> {
  const repo = attributeRepo(ctx);
  return retryOnConflict(async () => {
    const { record, ownerExists } = await repo.getForUpdate(id, patch.owner);
    const { attribute: before } = record;
    // The category or collection may have been archived since; then the attribute may keep it.
    if (patch.owner && !ownerExists && !isSameOwner(patch.owner, before.owner)) {
      throw unknownOwnerError(patch.owner);
    }
    const after = applyAttributePatch(before, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    await commit(ctx, {
      writes: [repo.update(record, after, updatedAt), raiseCatalogueVersion(ctx)],
      audit: [{ action: "attribute.updated", entity: id, before, after }],
      refusals: {
        "attributes.key": duplicateKeyConflict,
        ...staleWriteRefusal("attributes", "attribute"),
      },
    });
    return { attribute: after, updatedAt, archivedAt: null };
  });
}

/**
 * Archives an attribute. Products keep the property that it describes. Repeating the call changes
 * nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveAttribute = (ctx: Context, id: string): Promise<AttributeRecord> =>
  archiveRecord(ctx, id, {
    repo: attributeRepo(ctx),
    writes: [raiseCatalogueVersion(ctx)],
    action: "attribute.archived",
    before: ({ attribute }) => attribute,
    refusals: staleWriteRefusal("attributes", "attribute"),
  });

const duplicateKeyConflict = (): Refusal =>
  conflict("Another attribute of this category or collection has this key.");

const unknownOwnerError = ({ categoryId }: AttributeOwner): Refusal =>
  categoryId === null
    ? invalid("collection_id", "no such collection")
    : invalid("category_id", "no such category");

const isSameOwner = (a: AttributeOwner, b: AttributeOwner): boolean =>
  a.categoryId === b.categoryId && a.collectionId === b.collectionId;
