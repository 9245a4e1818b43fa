import { ruleViolation } from "../kernel/index.ts";
import type { SenderType, SupportMessage } from "./message.ts";

export const conversationStatuses = ["open", "closed"] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/** The support thread between one shopper and a business. */
export type Conversation = Readonly<{
  id: string;
  status: ConversationStatus;
  /** The logged-in customer. Null for a guest, and after an erasure of the customer's data. */
  customerId: string | null;
  messageCount: number;
  /** The customer's messages that the business has neither read nor answered. */
  unreadCount: number;
  lastMessageAt: number | null;
  createdAt: number;
  /** Whether it is open and its last message is the shopper's. */
  awaitsReply: boolean;
  /** Raised by every change. An older copy never replaces a newer one. */
  revision: number;
}>;

export const newConversation = (id: string, createdAt: number): Conversation => ({
  id,
  status: "open",
  customerId: null,
  messageCount: 0,
  unreadCount: 0,
  lastMessageAt: null,
  createdAt,
  awaitsReply: false,
  revision: 1,
});

/**
 * The time of the next message. It is later than that of the last message, even if the clock was
 * set back, because messages are ordered and found by time.
 */
export const nextMessageAt = ({ lastMessageAt }: Conversation, now: number): number =>
  Math.max(now, (lastMessageAt ?? 0) + 1);

/**
 * A sender may add messages while the conversation has fewer than this. The limit of the business
 * is higher, so that it can still answer a shopper who has reached theirs.
 */
const maxMessages = { customer: 2_000, business: 4_000 } as const;

/** @throws Refusal CONVERSATION_FULL when the sender may not add another message. */
export function assertHasRoom(
  { messageCount }: Pick<Conversation, "messageCount">,
  senderType: SenderType,
): void {
  const limit = senderType === "customer" ? maxMessages.customer : maxMessages.business;
  if (messageCount < limit) return;
  throw ruleViolation(
    "CONVERSATION_FULL",
    `This conversation has reached its limit of ${limit} messages.`,
  );
}

/**
 * The conversation after a message. A customer's message reopens a closed conversation, and any
 * other one answers all messages so far.
 */
export const withMessage = (
  conversation: Conversation,
  { senderType, createdAt }: Pick<SupportMessage, "senderType" | "createdAt">,
): Conversation => ({
  ...conversation,
  status: senderType === "customer" ? "open" : conversation.status,
  messageCount: conversation.messageCount + 1,
  unreadCount: senderType === "customer" ? conversation.unreadCount + 1 : 0,
  lastMessageAt: createdAt,
  awaitsReply: senderType === "customer",
  revision: conversation.revision + 1,
});

/** The conversation with the status "closed". A closed conversation is returned unchanged. */
export const withConversationClosed = (conversation: Conversation): Conversation =>
  conversation.status === "closed"
    ? conversation
    : {
        ...conversation,
        status: "closed",
        unreadCount: 0,
        awaitsReply: false,
        revision: conversation.revision + 1,
      };

/** The conversation when at most `unreadCount` messages are unread. Reading never adds unread ones. */
export const withMessagesRead = (conversation: Conversation, unreadCount: number): Conversation =>
  unreadCount >= conversation.unreadCount
    ? conversation
    : { ...conversation, unreadCount, revision: conversation.revision + 1 };

/** The conversation with its shopper's customer id. Returned unchanged for a guest. */
export const withCustomer = (
  conversation: Conversation,
  customerId: string | null,
): Conversation =>
  customerId === null || conversation.customerId === customerId
    ? conversation
    : { ...conversation, customerId, revision: conversation.revision + 1 };

/** The conversation after an erasure of its customer's data, which also deletes its messages. */
export const withoutConversationData = (conversation: Conversation): Conversation => ({
  ...conversation,
  status: "closed",
  customerId: null,
  messageCount: 0,
  unreadCount: 0,
  lastMessageAt: null,
  awaitsReply: false,
  revision: conversation.revision + 1,
});
