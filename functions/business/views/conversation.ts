import { z } from "@hono/zod-openapi";
import type { ConversationSummary, ListedConversation } from "../../../shared/support/index.ts";
import type { ConversationPage } from "../../runtime/objects/conversation-object.ts";
import {
  ConversationView,
  MessageView,
  viewConversation,
  viewMessage,
} from "../../wire/views/support.ts";

/** A conversation as its merchant sees it; customer_id is null for a guest. */
export const MerchantConversationView = ConversationView.extend({
  unread_count: z.number().int(),
  customer_id: z.string().nullable(),
}).openapi("MerchantConversation");

export const ConversationSummaryView = MerchantConversationView.extend({
  customer_name: z.string().nullable(),
}).openapi("ConversationSummary");

export const ConversationPageView = z
  .object({ conversation: MerchantConversationView, messages: z.array(MessageView) })
  .openapi("ConversationPage");

export const viewMerchantConversation = (
  conversation: ListedConversation,
): z.infer<typeof MerchantConversationView> => ({
  ...viewConversation(conversation),
  unread_count: conversation.unreadCount,
  customer_id: conversation.customerId,
});

export const viewConversationSummary = (
  summary: ConversationSummary,
): z.infer<typeof ConversationSummaryView> => ({
  ...viewMerchantConversation(summary),
  customer_name: summary.customerName,
});

export const viewConversationPage = ({
  conversation,
  messages,
}: ConversationPage): z.infer<typeof ConversationPageView> => ({
  conversation: viewMerchantConversation(conversation),
  messages: messages.map(viewMessage),
});
