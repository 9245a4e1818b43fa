import { z } from "@hono/zod-openapi";
import { iso, isoOrNull } from "../../../shared/kernel/index.ts";
import {
  type Attachment,
  conversationStatuses,
  type ListedConversation,
  type SupportMessage,
  senderTypes,
} from "../../../shared/support/index.ts";

export const ConversationView = z
  .object({
    id: z.string(),
    status: z.enum(conversationStatuses),
    ai_enabled: z.boolean(),
    message_count: z.number().int(),
    created_at: z.string(),
    last_message_at: z.string().nullable(),
  })
  .openapi("Conversation");

const AttachmentView = z
  .object({
    url: z.string(),
    filename: z.string().nullable(),
    content_type: z.string().nullable(),
    size_bytes: z.number().int().nullable(),
  })
  .openapi("Attachment");

export const MessageView = z
  .object({
    id: z.string(),
    sender_type: z.enum(senderTypes),
    content: z.string(),
    content_type: z.literal("text"),
    attachments: z.array(AttachmentView),
    metadata: z.record(z.string(), z.string()),
    client_id: z.string().nullable(),
    created_at: z.string(),
  })
  .openapi("Message");

export const viewConversation = ({
  id,
  status,
  messageCount,
  createdAt,
  lastMessageAt,
}: Omit<ListedConversation, "customerId" | "unreadCount">): z.infer<typeof ConversationView> => ({
  id,
  status,
  // Always false, because only people reply to messages.
  ai_enabled: false,
  message_count: messageCount,
  created_at: iso(createdAt),
  last_message_at: isoOrNull(lastMessageAt),
});

export const viewMessage = (message: SupportMessage): z.infer<typeof MessageView> => ({
  id: message.id,
  sender_type: message.senderType,
  content: message.content,
  content_type: "text",
  attachments: message.attachments.map(viewAttachment),
  metadata: {},
  client_id: message.clientId,
  created_at: iso(message.createdAt),
});

const viewAttachment = ({
  url,
  filename,
  contentType,
  sizeBytes,
}: Attachment): z.infer<typeof AttachmentView> => ({
  url,
  filename,
  content_type: contentType,
  size_bytes: sizeBytes,
});
