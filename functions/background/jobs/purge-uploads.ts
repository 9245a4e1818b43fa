import { claimDueFiles, recordPurged, removableObjectKeys } from "../../../shared/uploads/index.ts";
import type { BackgroundContext } from "../context.ts";
import { filesPerRun, maxPerShard, processInBatches } from "./batches.ts";

/** A file has up to 20 upload attempts with an R2 object each. One R2 call deletes 1,000. */
const filesPerBatch = 40;

/**
 * Deletes abandoned uploads, deleted and replaced files and expired guest files, and the objects of
 * failed upload attempts. Objects are deleted before their rows: the rows name them, so a later run
 * can repeat an interrupted one.
 */
export async function purgeUploads(background: BackgroundContext, shard: string): Promise<void> {
  const db = background.dbOf(shard);
  await processInBatches(background, {
    batchSize: filesPerBatch,
    maxPerRun: maxPerShard(background, filesPerRun),
    claim: (range) => claimDueFiles(db, range),
    async process(files) {
      const keys = removableObjectKeys(files);
      // The list is empty when no upload attempt stored an object.
      if (keys.length > 0) await background.files.delete(keys);
      await recordPurged(db, files);
    },
  });
}
