import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { instant } from "../database/columns.ts";

/**
 * Wakeups that a queue gave up on after its retries, stored in CORE. A wakeup names a business and
 * its shard, and holds no personal data.
 */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    id: text("id").primaryKey(),
    /** The queue that gave up. */
    queue: text("queue").notNull(),
    messageId: text("message_id").notNull(),
    businessId: text("business_id").notNull(),
    shard: text("shard").notNull(),
    receivedAt: instant("received_at").notNull(),
    /** Until when a retry that has claimed the letter may still send it. */
    claimedUntil: instant("claimed_until"),
    /** When it was sent to its queue again; null while it waits for the operator. */
    retriedAt: instant("retried_at"),
  },
  (t) => [
    // The queue of dead letters may deliver a message twice.
    uniqueIndex("dead_letters_message").on(t.queue, t.messageId),
    index("dead_letters_waiting").on(t.receivedAt).where(sql`retried_at is null`),
    index("dead_letters_by_age").on(t.receivedAt),
    index("dead_letters_of_business").on(t.businessId),
  ],
);
