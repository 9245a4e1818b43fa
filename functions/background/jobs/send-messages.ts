import type { BusinessWithHostname } from "../../../shared/businesses/index.ts";
import {
  type Attempt,
  attemptMessage,
  type ClaimedMessage,
  type ClaimScope,
  claimDueMessages,
  prefetchFacts,
  queueSubscriptionMessages,
  recordAttempts,
} from "../../../shared/messages/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { type JobResult, maxQueries, repeatBatch } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import {
  processConcurrently,
  type RecordTask,
  splitOnError,
} from "../runs/process-concurrently.ts";

const job = "send-messages";

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
  let retryAt: number | null = null;

  /** The attempts whose outcomes are not stored yet. */
  const attempts: Attempt[] = [];

  function reportMessageError({ id }: Readonly<{ id: string }>, error: unknown): void {
    background.failedRecords.add({ job, shard, record: id }, error);
    if (!isTemporaryRefusal(error)) reportError("message not sent", { message: id }, error);
  }

  /** Prepares the messages of one business. */
  async function createTasks(
    sender: BusinessWithHostname,
    messages: readonly ClaimedMessage[],
  ): Promise<readonly RecordTask[]> {
    const ctx = {
      ...{ ...background.sendingContextFor(sender), db },
      reportError: reportMessageError,
    };
    const loadFacts = await prefetchFacts(ctx, messages);
    return messages.map((message) => ({
      businessId: message.businessId,
      run: async () => void attempts.push(await attemptMessage(ctx, message, loadFacts)),
    }));
  }

  async function storeAttempts(ended: readonly Attempt[]): Promise<void> {
    await recordAttempts({ db, now: background.runtime.now }, ended);
    for (const { message, outcome } of ended) {
      if (outcome.status === "failed") reportFailure(message, outcome.error);
      retryAt = outcome.nextAttemptAt;
    }
  }

  const result = await processConcurrently(background, {
    batchSize: messagesPerBatch,
    claim: ({ now, limit }) => claimDueMessages(db, { now, limit, scope }),
    async prepare(due) {
      for (const message of due)
        if (message.status === "failed") reportFailure(message, message.error);
      const claimed = due.filter((message) => message.status === "queued");
      const senders = await background.loadSenders(claimed.map(({ businessId }) => businessId));
      const messagesByBusiness = Map.groupBy(claimed, ({ businessId }) => businessId);
      const tasks = [...messagesByBusiness].map(([businessId, messages]) => {
        const sender = senders.get(businessId); // missing when it was deleted
        return sender ? createTasks(sender, messages) : [];
      });
      return (await Promise.all(tasks)).flat();
    },
    flush: () =>
      splitOnError(attempts.splice(0), storeAttempts, {
        mayRetry: (error) => !isTemporaryRefusal(error) && background.queries.remaining() > 0,
        report: ({ message }, error) => reportMessageError(message, error),
      }),
    flushAfterMs: storeAfterMs,
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
