import type { BusinessWithHostname } from "../../../shared/businesses/index.ts";
import {
  type Attempt,
  attemptMessage,
  type ClaimedMessage,
  type LoadFacts,
  prefetchFacts,
  recordAttempts,
  type SendingContext,
} from "../../../shared/messages/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { maxQueries } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import { maxRunningTasks, type RecordTask, splitOnError } from "../runs/process-concurrently.ts";

/** The attempts of one run to send messages of a shard. Their outcomes are stored together. */
export function createMessageAttempts(background: BackgroundContext, shard: string) {
  const db = background.dbOf(shard);
  const { now } = background.runtime;
  /** Those whose outcomes are not stored yet. */
  const ended: Attempt[] = [];
  let retryAt: number | null = null;

  function reportMessageError({ id }: Readonly<{ id: string }>, error: unknown): void {
    background.failedRecords.add({ job: "send-messages", shard, record: id }, error);
    if (!isTemporaryRefusal(error)) reportError("message not sent", { message: id }, error);
  }

  async function storeTogether(attempts: readonly Attempt[]): Promise<void> {
    await recordAttempts({ db, now }, attempts);
    for (const { message, outcome } of attempts) {
      if (outcome.status === "failed") reportFailure(message, outcome.error);
      retryAt = outcome.nextAttemptAt;
    }
  }

  /** Stores the outcomes so far. An error is reported, so that the other outcomes are stored. */
  const store = (): Promise<void> =>
    splitOnError(ended.splice(0), storeTogether, {
      mayRetry: (error) => !isTemporaryRefusal(error) && background.queries.remaining() > 0,
      report: ({ message }, error) => reportMessageError(message, error),
    });

  /**
   * Sends messages one after the other, because each shows what was sent before it. The others become
   * due again when too few queries are left.
   */
  async function sendInOrder(
    ctx: SendingContext,
    messages: readonly ClaimedMessage[],
    loadFirstFacts: LoadFacts,
  ): Promise<void> {
    let loadFacts = loadFirstFacts;
    for (const [index, message] of messages.entries()) {
      if (index > 0) {
        if (background.queries.remaining() < maxRunningTasks * maxQueries.message) return;
        await store();
        loadFacts = await prefetchFacts(ctx, [message]);
      }
      ended.push(await attemptMessage(ctx, message, loadFacts));
    }
  }

  return {
    store,

    /** When the latest message that failed is tried again; null when it is not. */
    retryAt: (): number | null => retryAt,

    /** Reads what the messages of a business need, and returns the tasks that send them. */
    async createTasks(
      sender: BusinessWithHostname,
      messages: readonly ClaimedMessage[],
    ): Promise<readonly RecordTask[]> {
      const sending = background.sendingContextFor(sender);
      const ctx = { ...sending, db, reportError: reportMessageError };
      const loadFacts = await prefetchFacts(ctx, messages);
      const groups = [...Map.groupBy(messages, orderedGroupOf).values()];
      return groups.map((group) => ({
        businessId: sender.business.id,
        run: () => sendInOrder(ctx, group, loadFacts),
      }));
    },
  };
}

/** Answers of one conversation are sent in order: the e-mail of one shows the others too. */
const orderedGroupOf = ({ id, name, subjectId }: ClaimedMessage): string =>
  name === "support.reply" ? subjectId : id;

/** Reports a message of which no attempt is left. */
export const reportFailure = ({ id, name, channel }: ClaimedMessage, reason: string | null): void =>
  reportError("message failed", { message: id, name, channel, reason }, "no attempt is left");
