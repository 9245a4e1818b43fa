import { second } from "../../../shared/kernel/index.ts";
import type { SendResult } from "../../../shared/messaging/index.ts";
import { log } from "../../runtime/log.ts";
import { type Background, report } from "../context.ts";

/** Messages to people: one verdict each. What is logged tells neither whom nor what they were for. */
export async function consumeMessages(
  background: Background,
  messages: readonly Message[],
): Promise<void> {
  await Promise.all(messages.map((queued) => judged(background, queued)));
}

async function judged(background: Background, queued: Message): Promise<void> {
  try {
    const delaySeconds = await delivered(background, queued);
    if (delaySeconds === null) queued.ack();
    else queued.retry({ delaySeconds });
  } catch (error) {
    report("message failed", { queued: queued.id, attempts: queued.attempts }, error);
    queued.retry({ delaySeconds: backoffSeconds(queued.attempts) });
  }
}

/** Tries once. Null when there is nothing more to do; else the seconds to wait before the next try. */
async function delivered(
  { chance, mail }: Background,
  { id: queued, body, attempts }: Message,
): Promise<number | null> {
  const message = await mail.open(body);
  if (!message) return dropped({ queued, reason: "not sealed by this deployment" });
  const facts = { queued, message: message.id, channel: message.channel, attempts };
  if (message.expiresAt <= chance.now()) return dropped({ ...facts, reason: "expired" });
  const result = await mail.send(message);
  switch (result.type) {
    case "sent":
      return null;
    case "refused":
      return dropped({ ...facts, reason: result.reason });
    case "no_answer": {
      const delaySeconds = waitSeconds(result, attempts);
      const isInTime = chance.now() + delaySeconds * second < message.expiresAt;
      return isInTime ? delaySeconds : dropped({ ...facts, reason: result.reason });
    }
  }
}

function dropped(facts: Readonly<Record<string, unknown>>): null {
  log("error", "message dropped", facts);
  return null;
}

const backoffSeconds = (attempts: number): number => Math.min(2 * 2 ** attempts, 60);

const waitSeconds = (
  { retryAfterMs }: Extract<SendResult, { type: "no_answer" }>,
  attempts: number,
): number => Math.max(backoffSeconds(attempts), Math.ceil((retryAfterMs ?? 0) / second));
