import { type Context, commit } from "../../database/index.ts";
import { conflict, nextUpdate } from "../../kernel/index.ts";
import { changedMeanwhile } from "../change-record.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type CollectionPatch, demandProducts, patchedCollection } from "./collection-draft.ts";
import { type CollectionRecord, collectionRepo, countIn } from "./collection-repo.ts";

/**
 * Changes the fields that are sent; a list replaces a rule, and a rule a list
 * (business-surface.md, Catalogue).
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR for an unknown product; CONFLICT for a slug that is taken.
 */
export function updateCollection(
  ctx: Context,
  id: string,
  patch: CollectionPatch,
): Promise<CollectionRecord> {
  const repo = collectionRepo(ctx);
  return retryRaces(async () => {
    const { record, missing } = await repo.getForUpdate(id, patch.members?.productIds ?? []);
    if (patch.members) demandProducts(patch.members, missing);
    const { collection: before } = record;
    const after = patchedCollection(before, patch);
    const updatedAt = nextUpdate(ctx.now(), record);
    const writes = [...repo.update(record, after, updatedAt), raiseVersion(ctx), repo.count(id)];
    const results = await commit(ctx, {
      writes,
      audit: [{ action: "collection.updated", entity: id, before, after }],
      refusals: {
        "collections.slug": () => conflict("Another collection has this slug."),
        ...changedMeanwhile("collections", "collection"),
      },
    });
    const productCount = countIn(results[writes.length - 1]);
    return { collection: after, productCount, updatedAt, archivedAt: null };
  });
}
