import type { AuditEntry } from "../../../../shared/database/index.ts";
import { Refusal, type RefusalData } from "../../../../shared/kernel/index.ts";
import {
  type Conversation,
  type Draft,
  type PostMessageResult,
  postMessage,
  type SenderType,
  type SupportMessage,
} from "../../../../shared/support/index.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { viewMessage } from "../../../wire/views/support.ts";
import { frames } from "./conversation-frames.ts";
import type { ListSync } from "./conversation-list-sync.ts";
import type { ConversationSockets } from "./conversation-sockets.ts";
import type { ConversationStore } from "./conversation-store.ts";

type Author = Readonly<
  { senderType: Extract<SenderType, "customer"> } | { senderType: "agent"; keyId: string }
>;

type PostingParts = Readonly<{
  store: ConversationStore;
  listSync: ListSync;
  sockets: ConversationSockets;
}>;

/**
 * Posts a message to an existing conversation and sends the message to all sockets. One transaction
 * stores the message and an agent's audit entry, and schedules the copy to the business's list.
 *
 * @throws Refusal BAD_REQUEST; CONVERSATION_FULL; CONFLICT with the first message of the same
 * client_id.
 */
export function postToConversation(
  { store, listSync, sockets }: PostingParts,
  author: Author,
  draft: Draft,
): SupportMessage {
  const before = store.requireConversation();
  const result = store.transaction(() => {
    const { senderType } = author;
    const result = postMessage({ ...runtime, conversations: store }, before, { senderType, draft });
    if (result.type === "posted") {
      if (author.senderType === "agent") {
        const change = { after: { message_id: result.message.id } };
        store.addAuditEntry(conversationAuditEntry(before, author.keyId, change));
      }
      listSync.schedule();
    }
    return result;
  });
  if (result.type === "duplicate") throw new Refusal(duplicateClientId(result));
  if (result.type === "posted") {
    sockets.broadcast(frames.message(result.message));
    const { conversation } = result;
    if (conversation.status !== before.status) sockets.broadcast(frames.conversation(conversation));
  }
  return result.message;
}

/** The audit entry for an agent's action. Audit entries never contain the content of messages. */
export const conversationAuditEntry = (
  { id }: Conversation,
  actor: string,
  {
    action = "conversation.message_sent",
    before = null,
    after,
  }: Readonly<{ action?: string; before?: unknown; after: unknown }>,
): AuditEntry => ({
  id: runtime.newId("aud"),
  actor,
  action,
  entity: id,
  before,
  after,
  at: runtime.now(),
});

const duplicateClientId = ({ message }: Pick<PostMessageResult, "message">): RefusalData => ({
  code: "CONFLICT",
  message: "This client_id was already used in the conversation. Send a new one for a new message.",
  context: { field: "client_id", message: viewMessage(message) },
});
