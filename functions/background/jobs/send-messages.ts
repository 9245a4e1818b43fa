import {
  type ClaimedMessage,
  type ClaimScope,
  claimDueMessages,
} from "../../../shared/messages/index.ts";
import type { BackgroundContext } from "../context.ts";
import { type JobResult, maxQueries } from "../runs/batches.ts";
import { processConcurrently, type RecordTask } from "../runs/process-concurrently.ts";
import { createMessageAttempts, reportFailure } from "./message-attempts.ts";

/** So few that a slow provider takes most of them before their leases end. */
const messagesPerBatch = 24;

/** Short, because providers of SMS do not recognise a message that is sent again after a crash. */
const storeAfterMs = 50;

/** `retryAt` says when the message of a run for one message is tried again; null when it is not. */
export type SendingResult = JobResult & Readonly<{ retryAt: number | null }>;

/** Sends the due messages of a shard, or those of a narrower scope. */
export async function sendMessages(
  background: BackgroundContext,
  shard: string,
  scope: ClaimScope | null = null,
): Promise<SendingResult> {
  const db = background.dbOf(shard);
  const attempts = createMessageAttempts(background, shard);

  async function prepare(claimed: readonly ClaimedMessage[]): Promise<readonly RecordTask[]> {
    // The claim itself gives up a message whose last attempt was interrupted.
    for (const message of claimed)
      if (message.status === "failed") reportFailure(message, message.error);
    const queued = claimed.filter(({ status }) => status === "queued");
    const senders = await background.loadSenders(queued.map(({ businessId }) => businessId));
    const messagesByBusiness = Map.groupBy(queued, ({ businessId }) => businessId);
    return [...messagesByBusiness].flatMap(([businessId, messages]) => {
      const sender = senders.get(businessId); // missing when the business was deleted
      return sender ? attempts.createTasks(sender, messages) : [];
    });
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
