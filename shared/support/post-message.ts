import type { Runtime } from "../kernel/index.ts";
import { type Conversation, demandRoom, nextMessageAt, withMessage } from "./conversation.ts";
import type { ConversationRepo } from "./conversation-repo.ts";
import { type Draft, type Message, messageContent, type SenderType } from "./message.ts";

/** What became of a draft. */
export type Posted =
  | Readonly<{ type: "posted"; message: Message; conversation: Conversation }>
  /** The same request came before: what it left. */
  | Readonly<{ type: "repeated"; message: Message }>
  /** The sender used this client_id before, for this message. */
  | Readonly<{ type: "duplicate"; message: Message }>;

/**
 * Adds a message to the end of a conversation, once for one client_id and once for one request
 * (interface.md, Support). Stores nothing unless it answers "posted".
 *
 * @throws Refusal BAD_REQUEST when it says nothing or too much, CONVERSATION_FULL when there is no room.
 */
export function postMessage(
  ctx: Pick<Runtime, "now" | "newId"> & Readonly<{ conversations: ConversationRepo }>,
  conversation: Conversation,
  { senderType, draft }: Readonly<{ senderType: SenderType; draft: Draft }>,
): Posted {
  const { conversations } = ctx;
  const content = messageContent(draft.content);
  const repeated = conversations.findByRequest(draft.requestKey);
  if (repeated) return { type: "repeated", message: repeated };
  const duplicate = conversations.findByClientId(draft.clientId);
  if (duplicate) return { type: "duplicate", message: duplicate };
  demandRoom(conversation, senderType);
  const message: Message = {
    id: ctx.newId("msg"),
    senderType,
    content,
    attachments: draft.attachments,
    clientId: draft.clientId,
    createdAt: nextMessageAt(conversation, ctx.now()),
  };
  const after = withMessage(conversation, message);
  conversations.add(message, draft.requestKey);
  conversations.save(after);
  return { type: "posted", message, conversation: after };
}
