export {
  type Conversation,
  conversationStatuses,
  newConversation,
  withConversationClosed,
  withCustomer,
  withMessagesRead,
  withoutConversationData,
} from "./conversation.ts";
export {
  type ConversationCopy,
  type ConversationSummary,
  claimDueErasures,
  conversationListRepo,
  type DueErasure,
  dueErasures,
  type ListedConversation,
  listConversationIds,
} from "./conversation-list-repo.ts";
export { conversationMigrations, conversationRepo } from "./conversation-repo.ts";
export {
  type Attachment,
  type Draft,
  type SenderType,
  type SupportMessage,
  senderTypes,
} from "./message.ts";
export { conversationIdsOfCustomer, supportPersonalData } from "./personal-data-repo.ts";
export { type PostMessageResult, postMessage } from "./post-message.ts";
export { isPongOverdue, nextPingAt, pingIntervalMs, withFrameTime } from "./socket-limits.ts";
