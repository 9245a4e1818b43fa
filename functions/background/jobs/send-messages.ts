import {
  type ClaimedMessage,
  type ClaimScope,
  claimDueMessages,
} from "../../../shared/messages/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries } from "../runs/batches.ts";
import { processConcurrently, type RecordTask } from "../runs/process-concurrently.ts";
import { createMessageAttempts, reportFailure } from "./message-attempts.ts";

/** So few that even a slow provider takes all of them before their leases expire. */
const messagesPerBatch = 24;

/** Short, because an SMS whose outcome is lost in a crash is sent again. */
const storeAfterMs = 50;

/** Also says when the latest message that failed is tried again. */
export type SendingResult = JobResult & Readonly<{ retryAt: number | null }>;

/** Sends the due messages of a shard, or those of a narrower scope. */
export async function sendMessages(
  background: BackgroundContext,
  shard: string,
  scope: ClaimScope | null = null,
): Promise<SendingResult> {
  const db = background.dbOf(shard);
  const attempts = createMessageAttempts(background, shard);

  async function prepare(due: readonly ClaimedMessage[]): Promise<readonly RecordTask[]> {
    for (const message of due)
      if (message.status === "failed") reportFailure(message, message.error);
    const claimed = due.filter(({ status }) => status === "queued");
    const senders = await background.loadSenders(claimed.map(({ businessId }) => businessId));
    const messagesByBusiness = Map.groupBy(claimed, ({ businessId }) => businessId);
    const tasks = [...messagesByBusiness].map(([businessId, messages]) => {
      const sender = senders.get(businessId); // missing when it was deleted
      return sender ? attempts.createTasks(sender, messages) : [];
    });
    return (await Promise.all(tasks)).flat();
  }

  const result = await processConcurrently(background, {
    batchSize: messagesPerBatch,
    claim: ({ now, limit }) => claimDueMessages(db, { now, limit, scope }),
    prepare,
    flush: attempts.store,
    flushAfterMs: storeAfterMs,
    queries: { perBatch: 5, perRecord: maxQueries.message, maxPerRecord: maxQueries.message },
  });
  return { ...result, retryAt: attempts.retryAt() };
}
