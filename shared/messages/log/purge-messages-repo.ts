import { sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced, type Write } from "../../database/index.ts";
import { day } from "../../kernel/index.ts";
import { messages } from "../tables.ts";

/** How long the log shows a message (docs/contract/messages.md#log). */
const messageRetentionMs = 90 * day;
const maxPurgedRows = 5_000;

/** The messages that `purgeMessages` deletes. */
export const oldMessages: DueRows = {
  table: messages,
  since: messages.createdAt,
  afterMs: messageRetentionMs,
  condition: sql`next_attempt_at is null`,
  businessId: messages.businessId,
};

/** Deletes a batch of a shard's messages from before the log's time. */
export const purgeMessages = (db: Db, now: number): Write =>
  db.delete(messages).where(
    sql`id in (select old.id from messages as old
      where old.next_attempt_at is null and old.created_at <= ${now - messageRetentionMs}
        and ${isUnfenced(sql`old.business_id`)} order by old.created_at limit ${maxPurgedRows})`,
  );
