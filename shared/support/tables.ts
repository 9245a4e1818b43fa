import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, instant, oneOf } from "../database/columns.ts";
import { type ConversationStatus, conversationStatuses } from "./conversation.ts";

/**
 * A copy of each conversation, for the business's list. A conversation's Durable Object writes
 * the copy shortly after a change. Messages are stored only in the object.
 */
export const supportConversations = sqliteTable(
  "support_conversations",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    status: text("status").$type<ConversationStatus>().notNull(),
    customerId: text("customer_id"),
    messageCount: integer("message_count").notNull(),
    unreadCount: integer("unread_count").notNull().default(0),
    lastMessageAt: instant("last_message_at"),
    createdAt: instant("created_at").notNull(),
    /** The time of the last message, or of the creation. The list is in this order. */
    activeAt: instant("active_at").notNull(),
    /** Whether the conversation is open and its last message is the shopper's. */
    awaitsReply: flag("awaits_reply").notNull().default(false),
    /** The revision of the copied conversation. An older copy never replaces a newer one. */
    revision: integer("revision").notNull(),
    /**
     * When the job next calls the conversation's Durable Object to erase the customer's data. Null when
     * there is nothing to erase.
     */
    eraseDueAt: instant("erase_due_at"),
  },
  (t) => [
    index("support_conversations_by_activity").on(t.businessId, t.activeAt, t.id),
    index("support_conversations_by_status").on(t.businessId, t.status, t.activeAt, t.id),
    index("support_conversations_unread")
      .on(t.businessId, t.activeAt, t.id)
      .where(sql`unread_count > 0`),
    index("support_conversations_unanswered")
      .on(t.businessId, t.activeAt)
      .where(sql`awaits_reply = 1`),
    index("support_conversations_by_customer")
      .on(t.businessId, t.customerId)
      .where(sql`customer_id is not null`),
    index("support_conversations_erasing").on(t.eraseDueAt).where(sql`erase_due_at is not null`),
    check("support_conversations_status", oneOf(t.status, conversationStatuses)),
    check("support_conversations_count", sql`message_count >= 0`),
    check("support_conversations_active", sql`active_at = coalesce(last_message_at, created_at)`),
  ],
);
