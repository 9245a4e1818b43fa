import { second, stackOf, unavailable } from "../../../../shared/kernel/index.ts";
import { log } from "../../../runtime/log.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import type { ConversationBinding } from "../../../runtime/objects/conversation-object.ts";
import type { KeptStorage } from "../../../runtime/objects/expiring-storage.ts";
import { conversationIdOf } from "../../requests/conversation-id.ts";

/** Whose a session is from a generation on. */
export type Holder = Readonly<{ generation: number; customerId: string | null }>;

/** A guest's conversation that the first login left behind, and the generation that it is to hear of. */
type Left = Readonly<{ threadId: string; generation: number }>;

/** A conversation that did not answer is told so much later, and from then on each minute. */
const tellAfterMs = 5 * second;

/**
 * A session's conversation, which remembers who holds the session and so need not ask at every call:
 * it is told before that changes.
 */
export function sessionConversation(
  storage: DurableObjectStorage,
  {
    kept,
    conversations,
    alarms,
    sessionId,
  }: Readonly<{
    kept: KeptStorage;
    conversations: ConversationBinding;
    alarms: Alarms<"conversation">;
    sessionId: () => string;
  }>,
) {
  /** The `ownedSince` of the conversation that asked last; undefined before any did. */
  const joined = () => storage.kv.get<number>("conversation");
  const idOf = (ownedSince: number) => conversationIdOf(sessionId(), ownedSince);
  const objectOf = async (ownedSince: number) => conversations.getByName(await idOf(ownedSince));

  return {
    /** Notes that the conversation exists, and that its shopper uses the session. */
    join(ownedSince: number, now: number): void {
      kept.open(now);
      if (joined() !== ownedSince) storage.kv.put("conversation", ownedSince);
    },

    /**
     * Before a new generation is stored: from here on the conversation takes no word for who holds
     * the session but the session's own. Should the generation never come, nothing is lost by it.
     * Answers how many objects it told.
     *
     * @throws Refusal SERVICE_UNAVAILABLE when the conversation cannot be told: nothing may change then.
     */
    async raise(generation: number): Promise<number> {
      const ownedSince = joined();
      if (ownedSince === undefined) return 0;
      try {
        await (await objectOf(ownedSince)).raise(generation);
        return 1;
      } catch (error) {
        told("conversation not told of a login's change", error);
        throw unavailable("The session's conversation did not answer; try again.");
      }
    },

    /** The id of the conversation that asked last; null before any did. */
    async id(): Promise<string | null> {
      const ownedSince = joined();
      return ownedSince === undefined ? null : idOf(ownedSince);
    },

    /**
     * Beside the login that leaves a conversation behind, which could not be told: the new generation
     * has another one, and the alarm tells this one until it has heard.
     */
    leave(left: Left, now: number): void {
      storage.kv.put("left_conversation", left);
      alarms.set("conversation", now + tellAfterMs);
    },

    /** From the alarm. @throws when the conversation that was left cannot be told yet. */
    async tellLeft(): Promise<void> {
      const left = storage.kv.get<Left>("left_conversation");
      if (left) await conversations.getByName(left.threadId).raise(left.generation);
      storage.kv.delete("left_conversation");
      alarms.clear("conversation");
    },

    /** Tells the conversation who holds the session now, lest it has to ask; losing it costs a hop. */
    async confirm(ownedSince: number, holder: Holder): Promise<void> {
      if (joined() !== ownedSince) return;
      try {
        await (await objectOf(ownedSince)).confirm(holder);
      } catch (error) {
        told("conversation not told of a login", error);
      }
    },
  };
}

export type SessionConversation = ReturnType<typeof sessionConversation>;

const told = (what: string, error: unknown) => log("warn", what, { stack: stackOf(error) });
