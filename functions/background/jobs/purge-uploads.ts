import { claimDueFiles, recordPurged, removableObjectKeys } from "../../../shared/uploads/index.ts";
import type { BackgroundContext } from "../context.ts";
import { processInBatches } from "./process-in-batches.ts";
import { filesPerRun, maxPerShard } from "./query-budget.ts";

/** At 20 attempts per file, a batch's objects fit in one R2 call, which takes 1,000 keys. */
const filesPerBatch = 40;

/**
 * Deletes the objects and rows of abandoned, deleted, replaced and expired guest files, and the
 * objects of failed attempts. Objects are deleted before rows, so that a later run can repeat an
 * interrupted one.
 */
export async function purgeUploads(background: BackgroundContext, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await processInBatches(background, {
    batchSize: filesPerBatch,
    maxPerRun: maxPerShard(background, filesPerRun),
    claim: (range) => claimDueFiles(db, range),
    async process(files) {
      const keys = removableObjectKeys(files);
      if (keys.length > 0) await background.files.delete(keys); // empty when no attempt left an object to delete
      await recordPurged(db, files);
    },
  });
}
