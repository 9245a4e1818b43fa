import { newConversation, withCustomer } from "../../../../shared/support/index.ts";
import type { Alarms } from "../../../runtime/objects/alarms.ts";
import { captureOutcome, type Reply } from "../../../runtime/objects/calls.ts";
import {
  assertMayCreate,
  type ConversationCaller,
  type ConversationPage,
  type SessionReply,
  type SessionResponse,
} from "../../../runtime/objects/conversation-object.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { emptyConversationTtlMs } from "./conversation-expiry.ts";
import type { ListSync } from "./conversation-list-sync.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type { SessionHolderCache } from "./session-holder.ts";

type HolderCallParts = Readonly<{
  conversationId: string;
  store: ConversationStore;
  holder: SessionHolderCache;
  alarms: Alarms<"listCopy" | "ping" | "expiry">;
  listSync: ListSync;
}>;

/** Runs the calls of the session that holds a conversation, and creates the conversation. */
export function createHolderCalls(parts: HolderCallParts) {
  const { conversationId, store, holder, alarms, listSync } = parts;

  function createIfMissing(caller: ConversationCaller, now: number): void {
    if (store.find() !== null) return;
    assertMayCreate(caller.mayCreateInMs);
    const customerId = holder.customerId();
    store.create(withCustomer(newConversation(conversationId, now), customerId), caller.business);
    if (caller.isNew) holder.confirm({ generation: caller.generation, customerId });
    if (customerId === null) alarms.set("expiry", now + emptyConversationTtlMs);
    listSync.schedule();
  }

  return {
    /**
     * Runs work if the caller holds the session. Before the work, creates a missing conversation.
     */
    async run<T>(
      caller: ConversationCaller,
      work: () => T,
      { creates = true } = {},
    ): Promise<SessionReply<T>> {
      const { isHolder, objectCalls } = await holder.check(caller);
      const outcome = await captureOutcome(async () => {
        if (!isHolder) return "stale" as const;
        if (creates) createIfMissing(caller, runtime.now());
        return { data: work(), isConfirmed: true };
      });
      return { outcome, isReplay: false, d1: 0, do: objectCalls };
    },

    /**
     * Responds without waiting for the session's object, although the caller is not confirmed. A
     * conversation that does not exist yet has nothing to protect. It is created after the response.
     */
    async openInBackground(
      caller: ConversationCaller,
    ): Promise<Reply<SessionResponse<ConversationPage>>> {
      const now = runtime.now();
      const allowed = await captureOutcome(async () => assertMayCreate(caller.mayCreateInMs));
      if (!allowed.ok) return { outcome: allowed, isReplay: false, d1: 0 };
      holder.confirmInBackground(caller, () => createIfMissing(caller, now));
      const data = { conversation: newConversation(conversationId, now), messages: [] };
      return {
        outcome: { ok: true, value: { data, isConfirmed: false } },
        isReplay: false,
        d1: 0,
      };
    },
  };
}
