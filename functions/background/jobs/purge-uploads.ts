import { claimDueFiles, recordPurged, removableObjectKeys } from "../../../shared/uploads/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, processInBatches } from "../runs/batches.ts";

/** A file has up to 20 upload attempts with an R2 object each. One R2 call deletes 1,000. */
const filesPerBatch = 40;

/**
 * Deletes abandoned uploads, deleted and replaced files and expired guest files, and the objects of
 * failed upload attempts. Objects are deleted before their rows: the rows name them, so a later run
 * can repeat an interrupted one.
 */
export function purgeUploads(background: BackgroundContext, shard: string): Promise<JobResult> {
  const db = background.dbOf(shard);
  return processInBatches(background, {
    batchSize: filesPerBatch,
    maxQueriesPerBatch: 3,
    claim: (range) => claimDueFiles(db, range),
    async process(files) {
      const keys = removableObjectKeys(files);
      // The list is empty when no upload attempt stored an object.
      if (keys.length > 0) await background.files.delete(keys);
      await recordPurged(db, files);
    },
  });
}
