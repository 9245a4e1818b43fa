import type { EventOf } from "../events/index.ts";
import { iso } from "../kernel/index.ts";
import type { Conversation } from "./conversation.ts";
import type { SenderType, SupportMessage } from "./message.ts";

/** Who posts messages; nothing else has an event. */
export type Poster = Extract<SenderType, "customer" | "agent">;

/**
 * An event of a message that waits in the conversation's object for its copy to the outbox. Its id
 * is chosen with the message, so that a repeated copy records nothing.
 */
export type PendingEvent = EventOf<"support.message_created"> &
  Readonly<{ id: string; createdAt: number }>;

/** The event that a message was posted (docs/contract/events.md#event-message). */
export const messageEvent = (
  { id: conversationId, customerId }: Pick<Conversation, "id" | "customerId">,
  message: SupportMessage & Readonly<{ senderType: Poster }>,
): Omit<PendingEvent, "id"> => ({
  type: "support.message_created",
  subjectId: conversationId,
  data: {
    conversation_id: conversationId,
    message_id: message.id,
    sender_type: message.senderType,
    content: message.content,
    attachment_count: message.attachments.length,
    customer_id: customerId,
    created_at: iso(message.createdAt),
  },
  createdAt: message.createdAt,
});
