import type { Runtime } from "../kernel/index.ts";
import { assertHasRoom, type Conversation, nextMessageAt, withMessage } from "./conversation.ts";
import type { ConversationRepo } from "./conversation-repo.ts";
import { type Draft, messageContent, type SupportMessage } from "./message.ts";
import { messageEvent, type Poster } from "./message-event.ts";

/** The result of posting a draft. */
export type PostMessageResult =
  | Readonly<{ type: "posted"; message: SupportMessage; conversation: Conversation }>
  /** The request is a repeat. `message` is the message that it posted the first time. */
  | Readonly<{ type: "repeated"; message: SupportMessage }>
  /** Another request has posted a message with this client_id, which is `message`. */
  | Readonly<{ type: "duplicate"; message: SupportMessage }>;

/**
 * Adds a message to a conversation. A repeated request or a repeated client_id adds nothing.
 *
 * @throws Refusal BAD_REQUEST for empty or too long content; CONVERSATION_FULL.
 */
export function postMessage(
  ctx: Pick<Runtime, "now" | "newId"> & Readonly<{ conversations: ConversationRepo }>,
  conversation: Conversation,
  { senderType, draft }: Readonly<{ senderType: Poster; draft: Draft }>,
): PostMessageResult {
  const { conversations } = ctx;
  const content = messageContent(draft.content);
  const repeated = conversations.findByRequestKey(draft.requestKey);
  if (repeated) return { type: "repeated", message: repeated };
  const duplicate = conversations.findByClientId(draft.clientId);
  if (duplicate) return { type: "duplicate", message: duplicate };
  assertHasRoom(conversation, senderType);
  const message = {
    id: ctx.newId("msg"),
    senderType,
    content,
    attachments: draft.attachments,
    clientId: draft.clientId,
    createdAt: nextMessageAt(conversation, ctx.now()),
  } satisfies SupportMessage;
  const after = withMessage(conversation, message);
  conversations.insertMessage(message, draft.requestKey);
  conversations.addEvent({ ...messageEvent(conversation, message), id: ctx.newId("evt") });
  conversations.save(after);
  return { type: "posted", message, conversation: after };
}
