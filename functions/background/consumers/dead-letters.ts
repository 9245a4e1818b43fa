import { deadLetterRepo, type NewDeadLetter } from "../../../shared/dead-letters/index.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import { WakeupMessage } from "./events.ts";

/** The queue whose messages end in the queue of dead letters. */
const queue = "duka-events";

/**
 * Keeps what the queue of events gave up on, until the operator sends it again. A message that
 * cannot be stored stays in the queue of dead letters.
 */
export async function keepDeadLetters(
  { core, runtime }: BackgroundContext,
  messages: readonly Message[],
): Promise<void> {
  const letters = messages.flatMap((message): NewDeadLetter[] => {
    const parsed = WakeupMessage.safeParse(message.body);
    if (!parsed.success) {
      reportError("dead letter is invalid", { message: message.id }, parsed.error);
      return [];
    }
    const receivedAt = runtime.now();
    return [{ id: runtime.newId("dlt"), queue, messageId: message.id, receivedAt, ...parsed.data }];
  });
  await deadLetterRepo(core()).insert(letters);
  for (const message of messages) message.ack();
}
