import { findOldestDue } from "../../../shared/database/index.ts";
import { duePortabilityJobs, runNextJob } from "../../../shared/portability/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";

/** Advances the exports and imports of businesses, and deletes those that ended 7 days ago. */
export function transferBusinesses(background: BackgroundContext): Promise<JobResult> {
  const { runtime, core, dbOf, files } = background;
  const ctx = { now: runtime.now, core: core(), dbFor: dbOf, files };
  return repeatBatch(background, maxQueries.portabilityRun, async () => {
    const isAdvanced = await runNextJob(ctx);
    const oldest = await findOldestDue(ctx.core, [duePortabilityJobs], runtime.now());
    return { processed: isAdvanced ? 1 : 0, hasMore: oldest !== null };
  });
}
