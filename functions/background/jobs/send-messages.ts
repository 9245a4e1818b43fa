import type { BusinessWithHostname } from "../../../shared/businesses/index.ts";
import {
  type ClaimedMessage,
  type ClaimScope,
  claimDueMessages,
  queueSubscriptionMessages,
  sendQueuedMessage,
} from "../../../shared/messages/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import { processConcurrently } from "../runs/process-concurrently.ts";

const job = "send-messages";

/** So few that even a slow provider takes all of them before their leases expire. */
const messagesPerBatch = 24;

/** Also says when the latest message that failed is tried again. */
export type SendingResult = JobResult & Readonly<{ retryAt: number | null }>;

/** Sends the due messages of a shard, or those of a narrower scope. */
export async function sendMessages(
  background: BackgroundContext,
  shard: string,
  scope: ClaimScope | null = null,
): Promise<SendingResult> {
  const db = background.dbOf(shard);
  let retryAt: number | null = null;

  /** Sends one message. An error is reported, so that the others continue. */
  async function send(sender: BusinessWithHostname, message: ClaimedMessage): Promise<void> {
    try {
      const ctx = background.sendingContextFor(sender);
      const { status, error, nextAttemptAt } = await sendQueuedMessage(
        { ...ctx, db, reportError: reportMessageError },
        message,
      );
      if (status === "failed") reportFailure(message, error);
      retryAt = nextAttemptAt;
    } catch (error) {
      reportMessageError(message, error);
    }
  }

  function reportMessageError({ id }: Readonly<{ id: string }>, error: unknown): void {
    background.failedRecords.add({ job, shard, record: id }, error);
    if (!isTemporaryRefusal(error)) reportError("message not sent", { message: id }, error);
  }

  const result = await processConcurrently(background, {
    batchSize: messagesPerBatch,
    claim: ({ now, limit }) => claimDueMessages(db, { now, limit, scope }),
    async prepare(due) {
      const claimed = due.filter((message) => message.status === "queued");
      for (const message of due)
        if (message.status === "failed") reportFailure(message, message.error);
      const ids = claimed.map((message) => message.businessId);
      const senders = await background.loadSenders(ids);
      return claimed.flatMap((message) => {
        const { businessId } = message;
        const sender = senders.get(businessId); // missing when it was deleted
        return sender ? [{ businessId, run: () => send(sender, message) }] : [];
      });
    },
    queries: { perBatch: 5, perRecord: maxQueries.message, maxPerRecord: maxQueries.message },
  });
  return { ...result, retryAt };
}

const reportFailure = ({ id, name, channel }: ClaimedMessage, reason: string | null): void =>
  reportError("message failed", { message: id, name, channel, reason }, "no attempt is left");

const subscriptionsPerBatch = 500;

/** Queues messages about failed renewals and subscriptions that end soon. */
export function announceSubscriptions(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const db = background.dbOf(shard);
  return repeatBatch(background, 1, async () => {
    const queued = await queueSubscriptionMessages(db, {
      idStem: background.runtime.newId("msg").slice(0, -3),
      now: background.runtime.now(),
      limit: subscriptionsPerBatch,
    });
    return { processed: queued.length, hasMore: queued.length === subscriptionsPerBatch };
  });
}
