import { stackOf, unavailable } from "../../../shared/kernel/index.ts";
import { log } from "../../http/log.ts";
import type { ConversationBinding } from "../../objects/conversation-object.ts";
import type { KeptStorage } from "../../objects/kept-storage.ts";
import { conversationIdOf } from "../conversation-id.ts";

/** Whose a session is from a generation on. */
export type Holder = Readonly<{ generation: number; customerId: string | null }>;

/**
 * A session's conversation, which remembers who holds the session and so need not ask at every call:
 * it is told before that changes.
 */
export function sessionConversation(
  storage: DurableObjectStorage,
  {
    kept,
    conversations,
    sessionId,
  }: Readonly<{ kept: KeptStorage; conversations: ConversationBinding; sessionId: () => string }>,
) {
  /** The `ownedSince` of the conversation that asked last; undefined before any did. */
  const joined = () => storage.kv.get<number>("conversation");
  const objectOf = async (ownedSince: number) =>
    conversations.getByName(await conversationIdOf(sessionId(), ownedSince));

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
