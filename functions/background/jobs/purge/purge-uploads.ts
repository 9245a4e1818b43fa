import { claimDueFiles, forgetFiles, objectsToRemove } from "../../../../shared/uploads/index.ts";
import type { Background } from "../../context.ts";
import { inBatches } from "../in-batches.ts";
import { filesPerRun, perShard } from "../query-budget.ts";

/** So many, that their objects are one call of R2, which takes 1,000 keys: 20 attempts each at most. */
const filesPerBatch = 40;

/**
 * Removes the bytes of files that nobody confirmed within 24 hours, that guests confirmed 30 days ago,
 * that were deleted or replaced, and of attempts that did not come through (completions.md 12). The
 * objects go first: one that dies in between is taken up again, and what is gone already is no failure.
 */
export async function purgeUploads(background: Background, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await inBatches(background, {
    size: filesPerBatch,
    most: perShard(background, filesPerRun),
    find: (range) => claimDueFiles(db, range),
    async work(files) {
      const keys = objectsToRemove(files);
      if (keys.length > 0) await background.files.delete(keys);
      await forgetFiles(db, files);
    },
  });
}
