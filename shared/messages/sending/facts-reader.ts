import type { Context } from "../../database/index.ts";
import { second } from "../../kernel/index.ts";
import { loadMessageFacts, type MessageFacts } from "./message-facts-query.ts";
import type { ClaimedMessage } from "./sending-repo.ts";

/** Facts that are older than this are read again, because a customer may have been erased meanwhile. */
const maxAgeMs = second;
/** The messages of a business whose facts are read together. */
const messagesPerRead = 6;
/** An order can have 700 KB, so that the facts of many messages could exceed an isolate's memory. */
const maxReadAhead = 12;

type FactsContext = Pick<Context, "db" | "business" | "now">;

/** Facts that were read for a message before its turn; null when that failed. */
type ReadAhead = Readonly<{ readAt: number; facts: Promise<MessageFacts | null> }>;

/** Reads the facts of messages when they are sent, and those of the next messages with them. */
export function createFactsReader() {
  const waitingByBusiness = new Map<string, Map<string, ClaimedMessage>>();
  const readAhead = new Map<string, ReadAhead>();

  /** Removes the next messages of a business from those whose facts are not read yet. */
  function takeNext(businessId: string): ClaimedMessage[] {
    const waiting = waitingByBusiness.get(businessId);
    const count = Math.min(messagesPerRead - 1, maxReadAhead - readAhead.size);
    const next = [...(waiting?.values() ?? [])].slice(0, Math.max(count, 0));
    for (const { id } of next) waiting?.delete(id);
    return next;
  }

  /** Reads the facts of a message, and those of the next ones with it. */
  function readWithNext(ctx: FactsContext, message: ClaimedMessage): Promise<MessageFacts | null> {
    const next = takeNext(message.businessId);
    const readAt = ctx.now();
    // One of the messages may be what fails, so each of them then reads its own facts.
    const all = loadMessageFacts(ctx, [message, ...next]).catch(() => null);
    const factsOf = ({ id }: ClaimedMessage) => all.then((facts) => facts?.get(id) ?? null);
    const own = factsOf(message);
    for (const other of next) readAhead.set(other.id, { readAt, facts: factsOf(other) });
    return own;
  }

  return {
    /** Names messages of one business that will be sent, whose facts may be read together. */
    announce(messages: readonly ClaimedMessage[]): void {
      for (const message of messages) {
        const waiting =
          waitingByBusiness.get(message.businessId) ?? new Map<string, ClaimedMessage>();
        waitingByBusiness.set(message.businessId, waiting.set(message.id, message));
      }
    },

    /** Returns the facts of a message, which are at most a second old. */
    async load(ctx: FactsContext, message: ClaimedMessage): Promise<MessageFacts> {
      waitingByBusiness.get(message.businessId)?.delete(message.id);
      const ahead = readAhead.get(message.id);
      readAhead.delete(message.id);
      const isFresh = ahead !== undefined && ctx.now() - ahead.readAt <= maxAgeMs;
      const facts = await (isFresh ? ahead.facts : readWithNext(ctx, message));
      return facts ?? readAlone(ctx, message);
    },
  };
}

async function readAlone(ctx: FactsContext, message: ClaimedMessage): Promise<MessageFacts> {
  const facts = (await loadMessageFacts(ctx, [message])).get(message.id);
  if (!facts) throw new Error("The facts of a message were not read.");
  return facts;
}
