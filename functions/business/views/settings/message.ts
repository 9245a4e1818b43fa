import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../../shared/kernel/index.ts";
import {
  maskRecipient,
  messageNames,
  messageStatuses,
  type QueuedMessage,
} from "../../../../shared/messages/index.ts";
import { channels } from "../../../../shared/messaging/index.ts";

/** An entry of the message log (docs/contract/messages.md#log). */
export const MessageView = z
  .object({
    id: z.string(),
    name: z.enum(messageNames),
    channel: z.enum(channels),
    to: z.string(),
    status: z.enum(messageStatuses),
    attempts: z.number().int(),
    provider: z.string().nullable(),
    provider_id: z.string().nullable(),
    error: z.string().nullable(),
    order_id: z.string().nullable(),
    subject_id: z.string(),
    next_attempt_at: z.string().nullable(),
    created_at: z.string(),
    sent_at: z.string().nullable(),
  })
  .openapi("OutgoingMessage");

/** The entry with its recipient masked, so that the log shows no customer's address. */
export const viewMessage = (message: QueuedMessage): z.infer<typeof MessageView> =>
  viewMessageTo(message, maskRecipient(message));

/** The entry for its recipient, who may see the own address. */
export const viewOwnMessage = (message: QueuedMessage): z.infer<typeof MessageView> =>
  viewMessageTo(message, message.recipient);

const viewMessageTo = (message: QueuedMessage, to: string): z.infer<typeof MessageView> => ({
  id: message.id,
  name: message.name,
  channel: message.channel,
  to,
  status: message.status,
  attempts: message.attempts,
  provider: message.provider,
  provider_id: message.providerId,
  error: message.error,
  order_id: message.orderId,
  subject_id: message.subjectId,
  next_attempt_at: isoOrNull(message.nextAttemptAt),
  created_at: iso(message.createdAt),
  sent_at: isoOrNull(message.sentAt),
});
