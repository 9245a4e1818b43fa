import { z } from "@hono/zod-openapi";
import type { ListedConversation } from "../../../shared/support/index.ts";
import type { ConversationPage } from "../../runtime/objects/conversation-object.ts";
import {
  ConversationView,
  MessageView,
  viewConversation,
  viewMessage,
} from "../../wire/views/support.ts";

/** A conversation as its merchant sees it; customer_id is null for a guest. */
export const MerchantConversationView = ConversationView.extend({
  customer_id: z.string().nullable(),
}).openapi("MerchantConversation");

export const ConversationPageView = z
  .object({ conversation: MerchantConversationView, messages: z.array(MessageView) })
  .openapi("ConversationPage");

export const viewMerchantConversation = (
  conversation: ListedConversation,
): z.infer<typeof MerchantConversationView> => ({
  ...viewConversation(conversation),
  customer_id: conversation.customerId,
});

export const viewConversationPage = ({
  conversation,
  messages,
}: ConversationPage): z.infer<typeof ConversationPageView> => ({
  conversation: viewMerchantConversation(conversation),
  messages: messages.map(viewMessage),
});
