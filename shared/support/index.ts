export * from "./conversation.ts";
export * from "./conversation-repo.ts";
export { withFrame } from "./frame-rate.ts";
export {
  claimDueErasures,
  conversationIndexRepo,
  type DueErasure,
  type ListedConversation,
} from "./index-repo.ts";
export { isSilent, nextPingAt } from "./keep-alive.ts";
export * from "./message.ts";
export { supportPersonalData } from "./personal-data-repo.ts";
export { type Posted, postMessage } from "./post-message.ts";
