import { eraseDueBusiness } from "../../../shared/erasures/index.ts";
import { log } from "../../runtime/log.ts";
import type { BackgroundContext } from "../context.ts";
import { erasureStepsPerRun } from "./batches.ts";

/** Erases a part of the business that was closed 30 days ago; the next minute's run continues. */
export async function eraseBusinesses(background: BackgroundContext): Promise<void> {
  const { runtime, core, dbOf, files, conversations } = background;
  const ctx = {
    now: runtime.now,
    core: core(),
    dbFor: dbOf,
    files,
    eraseConversation: (threadId: string, businessId: string) =>
      conversations.getByName(threadId).eraseAll(businessId),
  };
  const erasedId = await eraseDueBusiness(ctx, erasureStepsPerRun);
  if (erasedId !== null) log("info", "business erased", { business: erasedId });
}
