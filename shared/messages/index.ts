export { insertOptOut, type MessageKey, markAddress } from "./addresses/address-repo.ts";
export {
  claimCoreMessages,
  dueCoreMessages,
  queueCoreMessage,
} from "./core/core-message-repo.ts";
export {
  type CoreContent,
  type CoreSendingContext,
  sendCoreMessage,
} from "./core/send-core-message.ts";
export { messageLogRepo, messagePersonalData } from "./log/message-log-repo.ts";
export { oldMessages, purgeMessages } from "./log/purge-messages-repo.ts";
export { retryMessage } from "./log/retry-message.ts";
export { maskRecipient, messageStatuses, type QueuedMessage } from "./message.ts";
export { channelsOf, type MessageName, messageNames } from "./message-name.ts";
export { queueMessagesOfEvents } from "./queue/derive-messages-query.ts";
export { queueMessage } from "./queue/queue-message.ts";
export { queueSealedMessage } from "./queue/queue-sealed-message-query.ts";
export {
  findOldestUnannounced,
  queueSubscriptionMessages,
} from "./queue/subscription-messages-query.ts";
export type { MessageLinks, SendingContext } from "./sending/context.ts";
export { createFactsReader } from "./sending/facts-reader.ts";
export { type Attempt, attemptMessage, recordAttempts } from "./sending/send-message.ts";
export {
  type ClaimedMessage,
  type ClaimScope,
  claimDueMessages,
  dueMessages,
} from "./sending/sending-repo.ts";
export type { MessageSettings } from "./settings.ts";
export { isLocale, maxReminderHours, smsModes } from "./settings.ts";
export {
  getSettings,
  getTemplate,
  listTemplates,
  previewTemplate,
  updateSettings,
  updateTemplate,
} from "./templates/change-templates.ts";
export { type MessageTemplate, requireMessageName } from "./templates/template.ts";
export { templateVariables } from "./templates/variables.ts";
