import {
  type CoreSendingContext,
  claimCoreMessages,
  queueSealedMessage,
  sendCoreMessage,
} from "../../../shared/messages/index.ts";
import { coreMessagesOwner } from "../../runtime/message-queue.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { maxQueries } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import { processConcurrently } from "../runs/process-concurrently.ts";
import type { SendingResult } from "./send-messages.ts";

/** So few that even a slow provider takes all of them before their leases expire. */
const messagesPerBatch = 24;

/**
 * Sends the service's own due messages, or one of them: codes of Link and of the console, notices,
 * test messages and invitations. Neither recipients nor texts are logged.
 */
export async function sendCoreMessages(
  background: BackgroundContext,
  id: string | null = null,
): Promise<SendingResult> {
  const core = background.core();
  let retryAt: number | null = null;

  function reportMessageError(message: Readonly<{ id: string }>, error: unknown): void {
    const failed = { job: "send-core-messages", shard: "core", record: message.id };
    background.failedRecords.add(failed, error);
    if (!isTemporaryRefusal(error)) reportError("message not sent", { message: message.id }, error);
  }

  const ctx: CoreSendingContext = {
    ...{ core, now: background.runtime.now, reportError: reportMessageError },
    open: background.messages.open,
    send: background.messages.send,
    handOver: (messageId, invitation) => handOverInvitation(background, messageId, invitation),
  };

  async function send(message: Parameters<typeof sendCoreMessage>[1]): Promise<void> {
    try {
      const { failure, nextAt } = await sendCoreMessage(ctx, message);
      retryAt = nextAt;
      if (failure !== null)
        reportError("message failed", { message: message.id, reason: failure }, "it is given up");
    } catch (error) {
      reportMessageError(message, error);
    }
  }

  const result = await processConcurrently(background, {
    batchSize: messagesPerBatch,
    claim: ({ now, limit }) => claimCoreMessages(core, { now, limit, id }),
    prepare: async (due) =>
      due.map((message) => ({ businessId: coreMessagesOwner, run: () => send(message) })),
    queries: {
      perBatch: 1,
      perRecord: maxQueries.coreMessage,
      maxPerRecord: maxQueries.coreMessage,
    },
  });
  return { ...result, retryAt };
}

/** Queues the invitation in the shard of its business, whose log shows it, and has it sent. */
async function handOverInvitation(
  background: BackgroundContext,
  id: string,
  { businessId, to, role, consoleUrl }: Parameters<CoreSendingContext["handOver"]>[1],
): Promise<void> {
  const business = (await background.loadBusinesses([businessId])).get(businessId);
  if (!business) return; // it was deleted
  const { shard } = business;
  const db = background.dbOf(shard);
  const values = { role, console_url: consoleUrl };
  await db.batch([
    queueSealedMessage(db, {
      ...{ id, businessId, name: "member.invitation", channel: "email", recipient: to },
      ...{ sourceId: id, subjectId: id, expiresAt: null, createdAt: background.runtime.now() },
      sealedValues: await background.messages.sealValues(values),
    }),
  ]);
  await background.messages.wake({ businessId, shard, messageId: id });
}
