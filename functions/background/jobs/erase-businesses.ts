import { dueBusinessErasures } from "../../../shared/businesses/index.ts";
import { findOldestDue } from "../../../shared/database/index.ts";
import { eraseDueBusiness } from "../../../shared/erasures/index.ts";
import { log } from "../../runtime/log.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";

const stepsPerBatch = 8;

/** Erases the businesses that were closed 30 days ago, step by step. */
export function eraseBusinesses(background: BackgroundContext): Promise<JobResult> {
  const { runtime, core, dbOf, files, conversations } = background;
  const ctx = {
    now: runtime.now,
    core: core(),
    dbFor: dbOf,
    files,
    eraseConversation: (threadId: string, businessId: string) =>
      conversations.getByName(threadId).eraseAll(businessId),
  };
  return repeatBatch(background, stepsPerBatch * maxQueries.erasureStep, async () => {
    const erasedId = await eraseDueBusiness(ctx, stepsPerBatch);
    if (erasedId !== null) log("info", "business erased", { business: erasedId });
    const oldest = await findOldestDue(ctx.core, [dueBusinessErasures], runtime.now());
    return { processed: erasedId === null ? 0 : 1, hasMore: oldest !== null };
  });
}
