import {
  archiveRecord,
  type Context,
  commit,
  nextUpdatedAt,
  retryOnConflict,
  staleWriteRefusal,
} from "../../database/index.ts";
import { conflict, slugOrDefault } from "../../kernel/index.ts";
import { raiseCatalogueVersion } from "../catalogue-version-repo.ts";
import {
  applyCollectionPatch,
  assertProductsExist,
  buildCollection,
  type CollectionPatch,
  type NewCollection,
} from "./collection.ts";
import {
  type CollectionRecord,
  collectionRepo,
  collectionWriteRepo,
  productCountIn,
} from "./collection-repo.ts";

/**
 * Creates a collection.
 * @throws Refusal VALIDATION_ERROR for an unknown product; CONFLICT for a slug that is taken.
 */
export function createCollection(ctx: Context, input: NewCollection): Promise<CollectionRecord> {
  return retryOnConflict(async () => {
    const { takenSlugs, unknownProductIds } = await collectionRepo(ctx).findForInsert(
      slugOrDefault(input, "collection"),
      input.members.productIds ?? [],
    );
    assertProductsExist(input.members, unknownProductIds);
    const collection = buildCollection(input, { newId: ctx.newId, takenSlugs });
    const now = ctx.now();
    const repo = collectionWriteRepo(ctx);
    const writes = [
      ...repo.insert(collection, now),
      raiseCatalogueVersion(ctx),
      repo.countProducts(collection.id),
    ];
    const results = await commit(ctx, {
      writes,
      audit: [{ action: "collection.created", entity: collection.id, after: collection }],
      refusals: {
        "collections.slug": () =>
          conflict("Another collection has this slug.", { retryable: input.slug === null }),
      },
    });
    const productCount = productCountIn(results[writes.length - 1]);
    return { collection, productCount, updatedAt: now, archivedAt: null };
  });
}

/**
 * Changes the fields that the patch contains. A list of products in the patch replaces a rule, and
 * a rule replaces a list of products.
 *
 * @throws Refusal NOT_FOUND; VALIDATION_ERROR for an unknown product; CONFLICT for a slug that is
 * taken.
 */
export function updateCollection(
  ctx: Context,
  id: string,
  patch: CollectionPatch,
): Promise<CollectionRecord> {
  return retryOnConflict(async () => {
    const { record, unknownProductIds } = await collectionRepo(ctx).getForUpdate(
      id,
      patch.members?.productIds ?? [],
    );
    if (patch.members) assertProductsExist(patch.members, unknownProductIds);
    const { collection: before } = record;
    const after = applyCollectionPatch(before, patch);
    const updatedAt = nextUpdatedAt(ctx.now(), record);
    const repo = collectionWriteRepo(ctx);
    const writes = [
      ...repo.update(record, after, updatedAt),
      raiseCatalogueVersion(ctx),
      repo.countProducts(id),
    ];
    const results = await commit(ctx, {
      writes,
      audit: [{ action: "collection.updated", entity: id, before, after }],
      refusals: {
        "collections.slug": () => conflict("Another collection has this slug."),
        ...staleWriteRefusal("collections", "collection"),
      },
    });
    const productCount = productCountIn(results[writes.length - 1]);
    return { collection: after, productCount, updatedAt, archivedAt: null };
  });
}

/**
 * Archives a collection; its products stay. Repeating it changes nothing.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveCollection = (ctx: Context, id: string): Promise<CollectionRecord> =>
  archiveRecord(ctx, id, {
    repo: {
      getEvenArchived: collectionRepo(ctx).getEvenArchived,
      archive: collectionWriteRepo(ctx).archive,
    },
    writes: [raiseCatalogueVersion(ctx)],
    action: "collection.archived",
    before: ({ collection }) => collection,
    refusals: staleWriteRefusal("collections", "collection"),
  });
