import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import {
  collectionFrom,
  demandProducts,
  type NewCollection,
  wantedCollectionSlug,
} from "./collection-draft.ts";
import { type CollectionRecord, collectionRepo, countIn } from "./collection-repo.ts";

/**
 * Puts a collection into the catalogue (business-surface.md, Catalogue).
 *
 * @throws Refusal VALIDATION_ERROR for an unknown product; CONFLICT for a slug that is taken.
 */
export function createCollection(ctx: Context, input: NewCollection): Promise<CollectionRecord> {
  const repo = collectionRepo(ctx);
  return retryRaces(async () => {
    const slug = wantedCollectionSlug(input);
    const around = await repo.surroundings(slug, input.members.productIds ?? []);
    demandProducts(input.members, around.missing);
    const collection = collectionFrom(input, { newId: ctx.newId, takenSlugs: around.takenSlugs });
    const now = ctx.now();
    const writes = [...repo.insert(collection, now), raiseVersion(ctx), repo.count(collection.id)];
    const results = await commit(ctx, {
      writes,
      audit: [{ action: "collection.created", entity: collection.id, after: collection }],
      refusals: {
        "collections.slug": () =>
          conflict("Another collection has this slug.", { retryable: input.slug === null }),
      },
    });
    return {
      collection,
      productCount: countIn(results[writes.length - 1]),
      updatedAt: now,
      archivedAt: null,
    };
  });
}
