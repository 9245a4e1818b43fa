import { type Context, commit } from "../../database/index.ts";
import { conflict } from "../../kernel/index.ts";
import { raiseVersion } from "../product-repo.ts";
import { retryRaces } from "../products/retry-races.ts";
import { type CollectionRecord, collectionRepo } from "./collection-repo.ts";

/**
 * Takes a collection out of the catalogue for good; its products stay. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export function archiveCollection(ctx: Context, id: string): Promise<CollectionRecord> {
  const repo = collectionRepo(ctx);
  return retryRaces(async () => {
    const record = await repo.getEvenArchived(id);
    if (record.isArchived) return record;
    const updatedAt = Math.max(ctx.now(), record.updatedAt + 1);
    await commit(ctx, {
      writes: [repo.archive(record, updatedAt), raiseVersion(ctx)],
      audit: [{ action: "collection.archived", entity: id, before: record.collection }],
      refusals: {
        "collections.updated_at": () =>
          conflict("The collection changed meanwhile; try again.", { retryable: true }),
      },
    });
    return { ...record, updatedAt, isArchived: true };
  });
}
