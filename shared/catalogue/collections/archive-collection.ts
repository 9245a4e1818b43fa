import type { Context } from "../../database/index.ts";
import { archiveRecord, changedMeanwhile } from "../change-record.ts";
import { type CollectionRecord, collectionRepo } from "./collection-repo.ts";

/**
 * Takes a collection out of the catalogue for good; its products stay. Done twice it is done once.
 *
 * @throws Refusal NOT_FOUND.
 */
export const archiveCollection = (ctx: Context, id: string): Promise<CollectionRecord> =>
  archiveRecord(ctx, id, {
    repo: collectionRepo(ctx),
    action: "collection.archived",
    before: ({ collection }) => collection,
    refusals: changedMeanwhile("collections", "collection"),
  });
