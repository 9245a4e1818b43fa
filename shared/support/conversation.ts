import { ruleBroken } from "../kernel/index.ts";
import type { Message, SenderType } from "./message.ts";

export const conversationStatuses = ["open", "closed"] as const;
export type ConversationStatus = (typeof conversationStatuses)[number];

/** A thread between one shopper and a business (completions.md 10). */
export type Conversation = Readonly<{
  id: string;
  status: ConversationStatus;
  /** Who was logged in; null for a guest, and once their data were erased. */
  customerId: string | null;
  messageCount: number;
  lastMessageAt: number | null;
  createdAt: number;
  /** Raised by each change: of two that are stored elsewhere, the higher one is the later. */
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

/** When the next message was said: later than the last, though a clock may stand still or go back. */
export const nextMessageAt = ({ lastMessageAt }: Conversation, now: number): number =>
  Math.max(now, (lastMessageAt ?? 0) + 1);

/** What one conversation holds; in one that its shopper filled, the business has room left to answer. */
const mostMessages = { ofCustomer: 2_000, ofBusiness: 4_000 } as const;

/** @throws Refusal CONVERSATION_FULL when there is no room for one more message of that sender. */
export function demandRoom(
  { messageCount }: Pick<Conversation, "messageCount">,
  senderType: SenderType,
): void {
  const most = senderType === "customer" ? mostMessages.ofCustomer : mostMessages.ofBusiness;
  if (messageCount < most) return;
  throw ruleBroken("CONVERSATION_FULL", `This conversation has its ${most} messages already.`);
}

/** A customer's message opens a closed conversation again. */
export const withMessage = (
  conversation: Conversation,
  { senderType, createdAt }: Pick<Message, "senderType" | "createdAt">,
): Conversation => ({
  ...conversation,
  status: senderType === "customer" ? "open" : conversation.status,
  messageCount: conversation.messageCount + 1,
  lastMessageAt: createdAt,
  revision: conversation.revision + 1,
});

/** Closed for good; closed twice it is the same. */
export const closed = (conversation: Conversation): Conversation =>
  conversation.status === "closed"
    ? conversation
    : { ...conversation, status: "closed", revision: conversation.revision + 1 };

/** The customer who turned out to be the shopper; a conversation has one at most. */
export const ofCustomer = (conversation: Conversation, customerId: string | null): Conversation =>
  customerId === null || conversation.customerId === customerId
    ? conversation
    : { ...conversation, customerId, revision: conversation.revision + 1 };

/** The record of a conversation whose customer's data are erased; its messages are gone. */
export const erased = (conversation: Conversation): Conversation => ({
  ...conversation,
  status: "closed",
  customerId: null,
  messageCount: 0,
  lastMessageAt: null,
  revision: conversation.revision + 1,
});
