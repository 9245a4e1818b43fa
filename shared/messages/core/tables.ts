import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { instant } from "../../database/columns.ts";

/**
 * Messages of the service itself, until they are sent: codes of Link and of the console, notices,
 * test messages, and invitations until the shard of their business has them. Recipients and texts are
 * sealed.
 */
export const coreMessages = sqliteTable(
  "core_messages",
  {
    id: text("id").primaryKey(),
    sealed: text("sealed").notNull(),
    attempts: integer("attempts").notNull().default(0),
    firstAttemptAt: instant("first_attempt_at"),
    /** When the next attempt is due, or the lease of the current one ends. */
    nextAttemptAt: instant("next_attempt_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (t) => [index("core_messages_due").on(t.nextAttemptAt)],
);
