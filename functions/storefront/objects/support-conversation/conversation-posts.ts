import type { AuditEntry } from "../../../../shared/database/index.ts";
import { Refusal, type RefusalData } from "../../../../shared/kernel/index.ts";
import {
  type Conversation,
  type Draft,
  type Message,
  type Posted,
  postMessage,
  type SenderType,
} from "../../../../shared/support/index.ts";
import { chance } from "../../../runtime/runtime.ts";
import { viewMessage } from "../../../wire/views/support.ts";
import { frames } from "./conversation-frames.ts";
import type { ConversationIndex } from "./conversation-index.ts";
import type { ConversationSockets } from "./conversation-sockets.ts";
import type { KeptConversation } from "./kept-conversation.ts";

type Author = Readonly<
  { senderType: Extract<SenderType, "customer"> } | { senderType: "agent"; keyId: string }
>;

type Parts = Readonly<{
  kept: KeptConversation;
  index: ConversationIndex;
  sockets: ConversationSockets;
}>;

/**
 * Says something in a conversation that has begun: stored, noted for the shop's list and, of an
 * agent, for its audit trail, all or nothing; then told to every socket.
 *
 * @throws Refusal BAD_REQUEST, or CONFLICT with the first message of the same client_id.
 */
export function post({ kept, index, sockets }: Parts, author: Author, draft: Draft): Message {
  const before = begun(kept);
  const posted = kept.transaction(() => {
    const { senderType } = author;
    const posted = postMessage({ ...chance, conversations: kept }, before, { senderType, draft });
    if (posted.type === "posted") {
      if (author.senderType === "agent") {
        kept.addAudit(auditOf(before, author.keyId, { after: { message_id: posted.message.id } }));
      }
      index.schedule();
    }
    return posted;
  });
  if (posted.type === "duplicate") throw new Refusal(repeatedClientId(posted));
  if (posted.type === "posted") {
    sockets.broadcast(frames.message(posted.message));
    const { conversation } = posted;
    if (conversation.status !== before.status) sockets.broadcast(frames.conversation(conversation));
  }
  return posted.message;
}

export function begun(kept: Pick<KeptConversation, "find">): Conversation {
  const conversation = kept.find();
  if (conversation === null) throw new Error("The conversation has not begun.");
  return conversation;
}

/** What an agent did, as the shop's audit trail will have it; nothing of what was said. */
export const auditOf = (
  { id }: Conversation,
  actor: string,
  {
    action = "conversation.message_sent",
    before = null,
    after,
  }: Readonly<{ action?: string; before?: unknown; after: unknown }>,
): AuditEntry => ({
  id: chance.newId("aud"),
  actor,
  action,
  entity: id,
  before,
  after,
  at: chance.now(),
});

const repeatedClientId = ({ message }: Pick<Posted, "message">): RefusalData => ({
  code: "CONFLICT",
  message: "This client_id was accepted on the thread before.",
  context: { field: "client_id", message: viewMessage(message) },
});
