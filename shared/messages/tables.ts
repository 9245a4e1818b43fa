import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { flag, instant, oneOf } from "../database/columns.ts";
import { type Channel, channels } from "../messaging/index.ts";
import { type MessageStatus, messageStatuses } from "./message.ts";
import type { MessageName } from "./message-name.ts";
import { defaultMessageSettings, type MessageSettings } from "./settings.ts";

/** The messages to customers and members. `QueuedMessage` says what the columns hold. */
export const messages = sqliteTable(
  "messages",
  {
    id: text("id").primaryKey(),
    businessId: text("business_id").notNull(),
    name: text("name").$type<MessageName>().notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    recipient: text("recipient").notNull(),
    sourceId: text("source_id").notNull(),
    eventId: text("event_id"),
    subjectId: text("subject_id").notNull(),
    orderId: text("order_id"),
    customerId: text("customer_id"),
    status: text("status").$type<MessageStatus>().notNull(),
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    nextAttemptAt: instant("next_attempt_at"),
    provider: text("provider"),
    providerId: text("provider_id"),
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
    sealedValues: text("sealed_values"),
    expiresAt: instant("expires_at"),
  },
  (t) => [
    // One event makes one message to a recipient, also when a job runs twice.
    uniqueIndex("messages_once").on(t.businessId, t.sourceId, t.name, t.channel, t.recipient),
    index("messages_due").on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    index("messages_newest").on(t.businessId, t.createdAt, t.id),
    index("messages_by_name").on(t.businessId, t.name, t.createdAt, t.id),
    index("messages_by_status").on(t.businessId, t.status, t.createdAt, t.id),
    index("messages_of_order").on(t.orderId).where(sql`order_id is not null`),
    index("messages_of_customer")
      .on(t.businessId, t.customerId)
      .where(sql`customer_id is not null`),
    index("messages_of_subject").on(t.businessId, t.subjectId, t.name),
    index("messages_ended").on(t.createdAt).where(sql`next_attempt_at is null`),
    check("messages_channel", oneOf(t.channel, channels)),
    check("messages_status", oneOf(t.status, messageStatuses)),
    check("messages_due_while_queued", sql`(status = 'queued') = (next_attempt_at is not null)`),
  ],
);

/** What a business has changed of the built-in templates; null keeps the built-in text. */
export const messageTemplates = sqliteTable(
  "message_templates",
  {
    businessId: text("business_id").notNull(),
    name: text("name").$type<MessageName>().notNull(),
    isEnabled: flag("is_enabled").notNull(),
    subject: text("subject"),
    body: text("body"),
    smsBody: text("sms_body"),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.name] })],
);

export const messageSettings = sqliteTable("message_settings", {
  businessId: text("business_id").primaryKey(),
  senderName: text("sender_name"),
  replyTo: text("reply_to"),
  locale: text("locale").notNull().default(defaultMessageSettings.locale),
  footer: text("footer"),
  reminderHours: integer("reminder_hours").notNull().default(defaultMessageSettings.reminderHours),
  sms: text("sms").$type<MessageSettings["sms"]>().notNull().default(defaultMessageSettings.sms),
  updatedAt: instant("updated_at").notNull(),
});

/**
 * Addresses that get no more messages of a business, because a provider said that none arrives or that
 * their owner complained.
 */
export const suppressedRecipients = sqliteTable(
  "suppressed_recipients",
  {
    businessId: text("business_id").notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    recipient: text("recipient").notNull(),
    reason: text("reason").$type<"bounced" | "complained">().notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.channel, t.recipient] })],
);

/** E-mail addresses whose owner wants none of a business's messages that they can do without. */
export const messageOptOuts = sqliteTable(
  "message_opt_outs",
  {
    businessId: text("business_id").notNull(),
    recipient: text("recipient").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.businessId, t.recipient] })],
);
