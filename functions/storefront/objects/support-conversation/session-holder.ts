import { day, second, stackOf } from "../../../../shared/kernel/index.ts";
import { log } from "../../../runtime/log.ts";
import type { ConversationCaller } from "../../../runtime/objects/conversation-object.ts";
import { runtime } from "../../../runtime/runtime.ts";
import type { StorefrontBindings } from "../../env.ts";
import type { SessionHolder } from "../cart-session/session-conversation.ts";

type HolderState = Readonly<{
  /**
   * The generation that the session's object confirmed last. Null when no generation is confirmed.
   */
  generation: number | null;
  confirmedAt: number;
  customerId: string | null;
  /** A cookie with a lower generation is accepted only after asking the session's object. */
  minGeneration: number;
  revokedAt: number;
  /** The customer whose data were erased from this conversation. */
  erasedCustomerId: string | null;
}>;

const unconfirmed: HolderState = {
  generation: null,
  confirmedAt: 0,
  customerId: null,
  minGeneration: 0,
  revokedAt: 0,
  erasedCustomerId: null,
};

/**
 * A confirmed session is confirmed again after this time, so that the session's object counts it as
 * used.
 */
const reconfirmAfterMs = day;
/**
 * How long a session may take to store a generation that it announced. A session that has not
 * stored the generation by then has given up.
 */
const generationChangeMs = 10 * second;

type SessionHolderParts = Readonly<{
  storage: DurableObjectStorage;
  sessions: StorefrontBindings["CART_SESSION"];
  waitUntil: (work: Promise<unknown>) => void;
  /**
   * Called when the session's object has confirmed the session's customer, who may have changed.
   */
  onConfirmed: () => void;
  /** Called when a confirmed generation is newer than the last one that the session announced. */
  onUnannounced: (generation: number) => void;
}>;

/**
 * Knows which customer holds the conversation's session. Caches the answers of the session's
 * object, so that most requests need only one object. The session's object announces each change
 * here before it stores the change.
 */
export function createSessionHolderCache(parts: SessionHolderParts) {
  const { storage, sessions, waitUntil, onConfirmed, onUnannounced } = parts;
  let state = storage.kv.get<HolderState>("holder") ?? unconfirmed;

  function store(change: Partial<HolderState>): void {
    state = { ...state, ...change };
    storage.kv.put("holder", state);
  }

  const isConfirmed = (generation: number): boolean => state.generation === generation;

  /**
   * Stores a confirmed customer, unless the session has announced a later generation in the
   * meantime.
   */
  function confirm(holder: SessionHolder): void {
    const { generation } = holder;
    if (generation < state.minGeneration) return;
    const isUnannounced = generation > state.minGeneration;
    store({ ...holder, minGeneration: generation, confirmedAt: runtime.now() });
    if (isUnannounced) onUnannounced(generation);
  }

  /** Asks the session's object whether the caller's cookie is valid. */
  async function confirmWithSession(caller: ConversationCaller): Promise<boolean> {
    const { sessionId, generation, ownedSince } = caller;
    const session = sessions.getByName(sessionId);
    const holder = await session.joinConversation({ generation, ownedSince });
    if (holder === "stale") return false;
    confirm({ generation, ...holder });
    onConfirmed();
    return true;
  }

  /**
   * Asks the session's object, while the response does not wait. Calls `next` if the caller's cookie
   * is valid, and otherwise no longer confirms it.
   */
  function confirmInBackground(caller: ConversationCaller, next: () => void = () => {}): void {
    const confirmThenNext = async () => {
      if (await confirmWithSession(caller)) next();
      else if (isConfirmed(caller.generation)) store({ generation: null });
    };
    waitUntil(confirmThenNext().catch(logUnconfirmed));
  }

  return {
    isConfirmed,
    confirm,
    confirmInBackground,

    /**
     * Whether the caller holds the session. Waits for the session's object only if the caller is
     * not confirmed yet. A session that this request created needs no check: nobody can have logged
     * in to it, and its token tells its object of the conversation before somebody does.
     */
    async check(
      caller: ConversationCaller,
    ): Promise<Readonly<{ isHolder: boolean; objectCalls: number }>> {
      if (caller.isNew) return { isHolder: true, objectCalls: 0 };
      if (!isConfirmed(caller.generation))
        return { isHolder: await confirmWithSession(caller), objectCalls: 1 };
      const isReconfirmDue = runtime.now() - state.confirmedAt > reconfirmAfterMs;
      if (isReconfirmDue) confirmInBackground(caller);
      return { isHolder: true, objectCalls: 0 };
    },

    /** Whether a newer generation was announced recently. Older cookies then open no socket. */
    isBeingReplaced: (generation: number): boolean =>
      generation < state.minGeneration && runtime.now() - state.revokedAt < generationChangeMs,

    /** The customer who owns new messages; null for a guest. */
    customerId: (): string | null =>
      state.customerId === state.erasedCustomerId ? null : state.customerId,

    revokeEarlierGenerations(generation: number): void {
      const minGeneration = Math.max(state.minGeneration, generation);
      store({ generation: null, minGeneration, revokedAt: runtime.now() });
    },

    erase: (customerId: string): void => store({ erasedCustomerId: customerId }),
  };
}

export type SessionHolderCache = ReturnType<typeof createSessionHolderCache>;

const logUnconfirmed = (error: unknown): void =>
  log("warn", "session not confirmed", { stack: stackOf(error) });
