import { type SQL, sql } from "drizzle-orm";
import type { Db, Write } from "../../database/index.ts";
import type { QueuedMessage } from "../message.ts";
import { messages } from "../tables.ts";

type SealedMessage = Pick<
  QueuedMessage,
  "id" | "name" | "channel" | "recipient" | "sourceId" | "subjectId" | "expiresAt" | "createdAt"
> &
  Readonly<{ businessId: string; sealedValues: string }>;

/**
 * A write that queues a message whose values are stored nowhere else, if the condition is true in the
 * same batch. Repeating it changes nothing.
 */
export const queueSealedMessage = (
  db: Db,
  { createdAt, ...message }: SealedMessage,
  condition: SQL = sql`true`,
): Write => {
  const { id, businessId, name, channel, recipient, sourceId, subjectId } = message;
  const { sealedValues, expiresAt } = message;
  return db
    .insert(messages)
    .select(
      sql`select ${id}, ${businessId}, ${name}, ${channel}, ${recipient}, ${sourceId}, null, ${subjectId},
        null, null, 'queued', 0, null, ${createdAt}, null, null, null, ${createdAt}, null, ${sealedValues},
        ${expiresAt} where ${condition}`,
    )
    .onConflictDoNothing();
};
