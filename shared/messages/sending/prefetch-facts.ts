import type { Context } from "../../database/index.ts";
import { second } from "../../kernel/index.ts";
import type { QueuedMessage } from "../message.ts";
import { loadMessageFacts, type MessageFacts } from "./message-facts-query.ts";

/** Loads what an attempt needs when the turn of its message comes. */
export type LoadFacts = (message: QueuedMessage) => Promise<MessageFacts>;

/** How old facts may be when a message is sent: a customer may have been erased meanwhile. */
const maxAgeMs = second;

/**
 * Reads the facts of messages of one business in one round trip, before their turns come. Those of a
 * message that waits for longer than a second are read again. When the read fails, each message reads
 * its own, because one of them may be the cause.
 */
export async function prefetchFacts(
  ctx: Pick<Context, "db" | "business" | "now">,
  messages: readonly QueuedMessage[],
): Promise<LoadFacts> {
  const readAt = ctx.now();
  const prefetched = await loadMessageFacts(ctx, messages).catch(() => null);
  return async (message) => {
    const facts = ctx.now() - readAt <= maxAgeMs ? prefetched?.get(message.id) : undefined;
    if (facts) return facts;
    const own = (await loadMessageFacts(ctx, [message])).get(message.id);
    if (!own) throw new Error("The facts of a message were not read.");
    return own;
  };
}
