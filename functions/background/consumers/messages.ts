import { second } from "../../../shared/kernel/index.ts";
import { MessageWakeup } from "../../runtime/message-queue.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { sendCoreMessages } from "../jobs/send-core-messages.ts";
import { sendMessages } from "../jobs/send-messages.ts";

/** Sends the due messages that wakeups name. The databases hold them, and cron finds lost ones. */
export async function consumeMessages(
  background: BackgroundContext,
  messages: readonly Message[],
): Promise<void> {
  await Promise.all(messages.map((queued) => handleMessage(background, queued)));
  await background.failedRecords.save();
}

async function handleMessage(background: BackgroundContext, queued: Message): Promise<void> {
  try {
    const wakeup = MessageWakeup.safeParse(queued.body);
    const dueAt = wakeup.success ? await sendDueMessages(background, wakeup.data) : null;
    if (dueAt === null) return queued.ack();
    const waitMs = Math.max(dueAt - background.runtime.now(), 0);
    queued.retry({ delaySeconds: Math.ceil(waitMs / second) });
  } catch (error) {
    reportError("messages not sent", { queued: queued.id, attempts: queued.attempts }, error);
    queued.ack(); // cron finds the messages within a minute
  }
}

/** @returns when the message that the wakeup names is tried again; null when it is not. */
async function sendDueMessages(
  background: BackgroundContext,
  { businessId, shard, ...wakeup }: MessageWakeup,
): Promise<number | null> {
  const messageId = wakeup.messageId ?? null;
  if (shard === null) {
    const core = await sendCoreMessages(background, messageId);
    return messageId === null ? null : core.retryAt;
  }
  const { hasMore, retryAt } = await sendMessages(background, shard, { businessId, messageId });
  if (hasMore && messageId === null) await background.messages.wake({ businessId, shard });
  return messageId === null ? null : retryAt;
}
