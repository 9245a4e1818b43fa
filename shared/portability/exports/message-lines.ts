import type { Db } from "../../database/index.ts";
import { listConversationIds } from "../../support/index.ts";
import type { PortabilityContext } from "../context.ts";
import { messagesTable } from "../format/exported-tables.ts";
import { messageLine } from "../format/file-lines.ts";
import type { MessagePosition } from "../job.ts";
import { charactersPerPart, type FoundLine, maxPartMs } from "./part-limits.ts";

/** Calls of conversations' objects for one part. Cloudflare limits those of an invocation. */
const maxCallsPerPart = 50;
/** Messages of one call, of at most 4,000 characters each. */
const messagesPerCall = 200;

type MessagesFound = Readonly<{
  lines: readonly FoundLine[];
  next: MessagePosition;
  /** Whether no conversation is left. */
  isEnd: boolean;
}>;

/**
 * Reads the next messages of the business's support conversations, as many as a part of the file
 * has. A conversation has the messages of the moment at which it is read.
 */
export async function readMessageLines(
  ctx: Pick<PortabilityContext, "now" | "readMessages">,
  { db, businessId }: Readonly<{ db: Db; businessId: string }>,
  from: MessagePosition,
): Promise<MessagesFound> {
  const { conversation: done } = from;
  const range = { businessId, after: done, limit: maxCallsPerPart, withoutErasing: true };
  const ids = await listConversationIds(db, range);
  const lines: FoundLine[] = [];
  const stopAt = ctx.now() + maxPartMs;
  let next = from;
  let size = 0;
  for (let calls = 0; calls < maxCallsPerPart; calls += 1) {
    const id = ids.find((one) => one > next.conversation);
    if (id === undefined) return { lines, next, isEnd: ids.length < maxCallsPerPart };
    if (size >= charactersPerPart || ctx.now() >= stopAt) break;
    const page = { after: next.after, limit: messagesPerCall };
    const messages = await ctx.readMessages({ id, businessId }, page);
    const found = messages.map((message) => messageLine(id, message));
    for (const line of found) lines.push({ table: messagesTable, line });
    size += found.reduce((sum, line) => sum + line.length, 0);
    const last = messages.length < messagesPerCall ? undefined : messages.at(-1);
    next = last ? { ...next, after: last.createdAt } : { conversation: id, after: 0 };
  }
  return { lines, next, isEnd: false };
}
