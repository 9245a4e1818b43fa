import { findOldestDue } from "../../../shared/database/index.ts";
import { Refusal } from "../../../shared/kernel/index.ts";
import {
  duePortabilityJobs,
  type PortabilityContext,
  runNextJob,
} from "../../../shared/portability/index.ts";
import type { ConversationBinding } from "../../runtime/objects/conversation-object.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";

/** Advances the exports and imports of businesses, and deletes those that ended 7 days ago. */
export function transferBusinesses(background: BackgroundContext): Promise<JobResult> {
  const { runtime, core, dbOf, files, queries, conversations } = background;
  const readMessages: PortabilityContext["readMessages"] = (conversation, range) => {
    queries.countCall();
    return readConversation(conversations, conversation, range);
  };
  const ctx = { now: runtime.now, core: core(), dbFor: dbOf, files, readMessages };
  return repeatBatch(background, maxQueries.portabilityRun, async () => {
    const isAdvanced = await runNextJob(ctx);
    const oldest = await findOldestDue(ctx.core, [duePortabilityJobs], runtime.now());
    return { processed: isAdvanced ? 1 : 0, hasMore: oldest !== null };
  });
}

/** Reads messages in the conversation's object; none of one that was deleted meanwhile. */
export async function readConversation(
  conversations: ConversationBinding,
  { id, businessId }: Parameters<PortabilityContext["readMessages"]>[0],
  range: Parameters<PortabilityContext["readMessages"]>[1],
): ReturnType<PortabilityContext["readMessages"]> {
  const outcome = await conversations.getByName(id).read(businessId, range);
  if (outcome.ok) return outcome.value.messages;
  if (outcome.refusal.code === "NOT_FOUND") return [];
  throw new Refusal(outcome.refusal);
}
