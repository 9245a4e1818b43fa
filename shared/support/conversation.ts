import { ruleViolation } from "../kernel/index.ts";
import type { SenderType, SupportMessage } from "./message.ts";

export const conversationStatuses = ["open", "closed"] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/** The support thread between one shopper and a business. */
export type Conversation = Readonly<{
  id: string;
  status: ConversationStatus;
  /** The logged-in customer; null for a guest, and after the erasure of personal data. */
  customerId: string | null;
  messageCount: number;
  lastMessageAt: number | null;
  createdAt: number;
  /** Raised by every change, so that an older copy never replaces a newer one. */
  revision: number;
}>;

export const newConversation = (id: string, createdAt: number): Conversation => ({
  id,
  status: "open",
  customerId: null,
  messageCount: 0,
  lastMessageAt: null,
  createdAt,
  revision: 1,
});

/** The time of the next message: always later than the last one, even if the clock is not. */
export const nextMessageAt = ({ lastMessageAt }: Conversation, now: number): number =>
  Math.max(now, (lastMessageAt ?? 0) + 1);

/**
 * The size at which a conversation accepts no more messages of a sender. The business has the higher
 * limit, so that it can still answer a shopper who reached theirs.
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

/** The conversation after a message. A customer's message reopens a closed conversation. */
export const withMessage = (
  conversation: Conversation,
  { senderType, createdAt }: Pick<SupportMessage, "senderType" | "createdAt">,
): Conversation => ({
  ...conversation,
  status: senderType === "customer" ? "open" : conversation.status,
  messageCount: conversation.messageCount + 1,
  lastMessageAt: createdAt,
  revision: conversation.revision + 1,
});

/** The closed conversation; unchanged when it is closed already. */
export const withConversationClosed = (conversation: Conversation): Conversation =>
  conversation.status === "closed"
    ? conversation
    : { ...conversation, status: "closed", revision: conversation.revision + 1 };

/** The conversation of a shopper who logged in; unchanged for a guest. */
export const withCustomer = (
  conversation: Conversation,
  customerId: string | null,
): Conversation =>
  customerId === null || conversation.customerId === customerId
    ? conversation
    : { ...conversation, customerId, revision: conversation.revision + 1 };

/** The record of a conversation after the erasure of its customer's data and its messages. */
export const withoutConversationData = (conversation: Conversation): Conversation => ({
  ...conversation,
  status: "closed",
  customerId: null,
  messageCount: 0,
  lastMessageAt: null,
  revision: conversation.revision + 1,
});
