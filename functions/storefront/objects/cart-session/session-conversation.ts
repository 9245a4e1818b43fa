import { second, stackOf, unavailable } from "../../../../shared/kernel/index.ts";
import { log } from "../../../runtime/log.ts";
import type { ConversationBinding } from "../../../runtime/objects/conversation-object.ts";
import { deriveConversationId } from "../../conversation-id.ts";
import type { SessionStorage } from "./session-storage.ts";

/** The customer who holds a session, and the generation of the cookie. */
export type SessionHolder = Readonly<{ generation: number; customerId: string | null }>;

/** A guest's conversation that a login left open, and the generation to send to it. */
type LeftConversation = Readonly<{ threadId: string; generation: number }>;

/** A conversation that did not respond is notified again after this time, and then every minute. */
const retryAfterMs = 5 * second;

type ConversationParts = Readonly<{
  storage: SessionStorage;
  conversations: ConversationBinding;
  sessionId: () => string;
}>;

/**
 * A session's conversation. The conversation stores the session's current customer instead of
 * querying the session at every call, so it must be notified before that customer changes.
 */
export class SessionConversation {
  readonly #objectStorage: DurableObjectStorage;
  readonly #parts: ConversationParts;

  constructor(objectStorage: DurableObjectStorage, parts: ConversationParts) {
    this.#objectStorage = objectStorage;
    this.#parts = parts;
  }

  /** Records that the conversation exists and that the session is used. */
  join(ownedSince: number, now: number): void {
    this.#parts.storage.open(now);
    if (this.#joined() !== ownedSince) this.#objectStorage.kv.put("conversation", ownedSince);
  }

  /**
   * Notifies the conversation, before a new generation is stored, that cookies of earlier ones are
   * invalid. The conversation then checks later cookies with the session. Returns the number of
   * objects called.
   *
   * @throws Refusal SERVICE_UNAVAILABLE when the conversation does not respond: nothing may change.
   */
  async announceGeneration(generation: number): Promise<number> {
    const ownedSince = this.#joined();
    if (ownedSince === undefined) return 0;
    try {
      await (await this.#objectOf(ownedSince)).revokeEarlierGenerations(generation);
      return 1;
    } catch (error) {
      logFailure("conversation not told of a login's change", error);
      throw unavailable("The session's conversation did not answer; try again.");
    }
  }

  /** The id of the joined conversation; null without one. */
  async findId(): Promise<string | null> {
    const ownedSince = this.#joined();
    return ownedSince === undefined ? null : this.#idOf(ownedSince);
  }

  /** Records a conversation that could not be notified. The alarm notifies it until it responds. */
  leave(left: LeftConversation, now: number): void {
    this.#objectStorage.kv.put("left_conversation", left);
    this.#parts.storage.alarms.set("conversation", now + retryAfterMs);
  }

  /** For the alarm. @throws when the left conversation does not answer. */
  async notifyLeft(): Promise<void> {
    const left = this.#objectStorage.kv.get<LeftConversation>("left_conversation");
    if (left) {
      const conversation = this.#parts.conversations.getByName(left.threadId);
      await conversation.revokeEarlierGenerations(left.generation);
    }
    this.#objectStorage.kv.delete("left_conversation");
    this.#parts.storage.alarms.clear("conversation");
  }

  /** Tells the conversation who holds the session now. If it fails, the conversation asks later. */
  async confirm(ownedSince: number, holder: SessionHolder): Promise<void> {
    if (this.#joined() !== ownedSince) return;
    try {
      await (await this.#objectOf(ownedSince)).confirmHolder(holder);
    } catch (error) {
      logFailure("conversation not told of a login", error);
    }
  }

  /** The `ownedSince` of the joined conversation; undefined without one. */
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
