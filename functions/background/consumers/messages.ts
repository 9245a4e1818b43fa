import { second } from "../../../shared/kernel/index.ts";
import type { SendResult } from "../../../shared/messaging/index.ts";
import { log } from "../../runtime/log.ts";
import { MessageWakeup } from "../../runtime/message-queue.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { sendMessages } from "../jobs/send-messages.ts";

/**
 * Sends one-time codes and notices, which the queue holds, and the due messages of businesses, which
 * their shards hold. Neither recipients nor texts are logged.
 */
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
    if (wakeup.success) return await sendDueMessages(background, queued, wakeup.data);
    const delaySeconds = await attemptSend(background, queued);
    if (delaySeconds === null) queued.ack();
    else queued.retry({ delaySeconds });
  } catch (error) {
    reportError("message failed", { queued: queued.id, attempts: queued.attempts }, error);
    queued.retry({ delaySeconds: backoffSeconds(queued.attempts) });
  }
}

/** Cron finds what a run leaves, so that a lost wakeup only delays. */
async function sendDueMessages(
  background: BackgroundContext,
  queued: Message,
  { businessId, shard }: MessageWakeup,
): Promise<void> {
  const { hasMore } = await sendMessages(background, shard, businessId);
  if (hasMore) await background.messages.wake({ businessId, shard });
  queued.ack();
}

/** @returns the seconds until the next attempt; null when the message was sent or dropped. */
async function attemptSend(
  { runtime, messages }: BackgroundContext,
  { id: queued, body, attempts }: Message,
): Promise<number | null> {
  const message = await messages.open(body);
  if (!message) return dropMessage({ queued, reason: "not sealed by this deployment" });
  const facts = { queued, message: message.id, channel: message.channel, attempts };
  if (message.expiresAt <= runtime.now()) return dropMessage({ ...facts, reason: "expired" });
  const result = await messages.send(message);
  switch (result.type) {
    case "sent":
      return null;
    case "refused":
      return dropMessage({ ...facts, reason: result.reason });
    case "no_answer": {
      const delaySeconds = retryDelaySeconds(result, attempts);
      const isInTime = runtime.now() + delaySeconds * second < message.expiresAt;
      return isInTime ? delaySeconds : dropMessage({ ...facts, reason: result.reason });
    }
  }
}

function dropMessage(facts: Readonly<Record<string, unknown>>): null {
  log("error", "message dropped", facts);
  return null;
}

const backoffSeconds = (attempts: number): number => Math.min(2 * 2 ** attempts, 60);

const retryDelaySeconds = (
  { retryAfterMs }: Extract<SendResult, { type: "no_answer" }>,
  attempts: number,
): number => Math.max(backoffSeconds(attempts), Math.ceil((retryAfterMs ?? 0) / second));
