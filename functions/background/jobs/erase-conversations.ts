import {
  claimDueErasures,
  conversationListRepo,
  type DueErasure,
} from "../../../shared/support/index.ts";
import { eraseMessageEvents } from "../../../shared/webhooks/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, processInBatches } from "../runs/batches.ts";

const job = "erase-conversations";
const erasuresPerBatch = 10;
const queriesPerErasure = 6;

/**
 * Erases the messages of customers whose data were erased. The messages are in the conversations'
 * Durable Objects, so the job calls each object until the object has confirmed.
 */
export function eraseConversations(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const db = background.dbOf(shard);

  async function eraseConversation({ id, businessId, customerId }: DueErasure): Promise<void> {
    try {
      await background.conversations.getByName(id).erase({ businessId, customerId });
      const ctx = { db, business: { id: businessId }, now: background.runtime.now };
      await db.batch([conversationListRepo(ctx).clearErasure(id), ...eraseMessageEvents(ctx, id)]);
    } catch (error) {
      reportError("conversation not erased", { conversation: id }, error);
      background.failedRecords.add({ job, shard, record: id }, error);
    }
  }

  return processInBatches(background, {
    batchSize: erasuresPerBatch,
    maxQueriesPerBatch: erasuresPerBatch * queriesPerErasure,
    claim: (range) => claimDueErasures(db, range),
    process: async (due) => void (await Promise.all(due.map(eraseConversation))),
  });
}
