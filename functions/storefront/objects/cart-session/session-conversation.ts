import { second, stackOf, unavailable } from "../../../../shared/kernel/index.ts";
import { log } from "../../../runtime/log.ts";
import type { ConversationBinding } from "../../../runtime/objects/conversation-object.ts";
import { deriveConversationId } from "../../conversation-id.ts";
import type { SessionStorage } from "./session-storage.ts";

/**
 * The customer of a session (null for a guest), and the generation of the cookie that is valid now.
 */
export type SessionHolder = Readonly<{ generation: number; customerId: string | null }>;

/** A guest's conversation that a login could not notify, with the generation to announce to it. */
type LeftConversation = Readonly<{ threadId: string; generation: number }>;

/** The alarm notifies an unresponsive conversation again after this time, and then every minute. */
const retryAfterMs = 5 * second;

type ConversationParts = Readonly<{
  storage: SessionStorage;
  conversations: ConversationBinding;
  sessionId: () => string;
}>;

/**
 * Keeps a session's support conversation informed. The conversation stores the session's customer,
 * and does not ask the session at every call. So it must be notified before the customer changes.
 */
export class SessionConversation {
  readonly #objectStorage: DurableObjectStorage;
  readonly #parts: ConversationParts;

  constructor(objectStorage: DurableObjectStorage, parts: ConversationParts) {
    this.#objectStorage = objectStorage;
    this.#parts = parts;
  }

  /** Stores that the session has a conversation, and that the session is in use. */
  join(ownedSince: number, now: number): void {
    this.#parts.storage.open(now);
    if (this.#joined() !== ownedSince) this.#objectStorage.kv.put("conversation", ownedSince);
  }

  /**
   * Tells the conversation that the cookies of earlier generations are invalid. Must be called
   * before the new generation is stored. Returns the number of object calls.
   *
   * @throws Refusal SERVICE_UNAVAILABLE when the conversation does not respond. Then nothing may
   * change.
   */
  async announceGeneration(
    generation: number,
    keptSocketId: string | null = null,
  ): Promise<number> {
    const ownedSince = this.#joined();
    if (ownedSince === undefined) return 0;
    try {
      const conversation = await this.#objectOf(ownedSince);
      await conversation.revokeEarlierGenerations(generation, keptSocketId);
      return 1;
    } catch (error) {
      logFailure("conversation not notified of a changed login", error);
      throw unavailable("The session's conversation did not answer; try again.");
    }
  }

  /** The id of the session's conversation. Null when there is no conversation. */
  async findId(): Promise<string | null> {
    const ownedSince = this.#joined();
    return ownedSince === undefined ? null : this.#idOf(ownedSince);
  }

  /** Stores a conversation that could not be notified. The alarm notifies it until it responds. */
  leave(left: LeftConversation, now: number): void {
    this.#objectStorage.kv.put("left_conversation", left);
    this.#parts.storage.alarms.set("conversation", now + retryAfterMs);
  }

  /**
   * Notifies the stored conversation from the alarm.
   *
   * @throws when the conversation does not respond.
   */
  async notifyLeft(): Promise<void> {
    const left = this.#objectStorage.kv.get<LeftConversation>("left_conversation");
    if (left) {
      const conversation = this.#parts.conversations.getByName(left.threadId);
      await conversation.revokeEarlierGenerations(left.generation);
    }
    this.#objectStorage.kv.delete("left_conversation");
    this.#parts.storage.alarms.clear("conversation");
  }

  /**
   * Tells the conversation which customer holds the session now. After a failure the conversation
   * asks the session at the next call.
   */
  async confirm(
    ownedSince: number,
    holder: SessionHolder,
    keptSocketId: string | null,
  ): Promise<void> {
    if (this.#joined() !== ownedSince) return;
    try {
      await (await this.#objectOf(ownedSince)).confirmHolder(holder, keptSocketId);
    } catch (error) {
      logFailure("conversation not notified of a login", error);
    }
  }

  /**
   * The `ownedSince` with which the conversation's id is derived. Undefined without a conversation.
   */
  #joined(): number | undefined {
    return this.#objectStorage.kv.get<number>("conversation");
  }

  #idOf(ownedSince: number): Promise<string> {
    return deriveConversationId(this.#parts.sessionId(), ownedSince);
  }

  async #objectOf(ownedSince: number) {
    return this.#parts.conversations.getByName(await this.#idOf(ownedSince));
  }
}

const logFailure = (what: string, error: unknown) => log("warn", what, { stack: stackOf(error) });
