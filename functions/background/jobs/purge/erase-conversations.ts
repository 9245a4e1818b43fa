import {
  claimDueErasures,
  conversationIndexRepo,
  type DueErasure,
} from "../../../../shared/support/index.ts";
import { type Background, report } from "../../context.ts";
import { inBatches } from "../in-batches.ts";
import { erasuresPerRun, perShard } from "../query-budget.ts";

const erasuresPerBatch = 10;

/**
 * Takes away what customers said in conversations whose data were erased: it stands in the
 * conversations' own objects. One that cannot be told is told again, until it has been.
 */
export async function eraseConversations(background: Background, shard: string): Promise<void> {
  const db = background.dbOf(shard);

  async function erase({ id, businessId, customerId }: DueErasure): Promise<void> {
    try {
      await background.conversations.getByName(id).erase({ businessId, customerId });
      await conversationIndexRepo({ db, business: { id: businessId } }).erasureDone(id);
    } catch (error) {
      report("conversation not erased", { conversation: id }, error);
    }
  }

  await inBatches(background, {
    size: erasuresPerBatch,
    most: perShard(background, erasuresPerRun),
    find: (range) => claimDueErasures(db, range),
    work: async (due) => void (await Promise.all(due.map(erase))),
  });
}
