import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db, DueRows, Write } from "../../database/index.ts";
import { leaseEndSql } from "../sending/sending-repo.ts";
import { coreMessages } from "./tables.ts";

export type CoreMessage = typeof coreMessages.$inferSelect;

/** The messages that `claimCoreMessages` claims. */
export const dueCoreMessages: DueRows = {
  table: coreMessages,
  since: coreMessages.nextAttemptAt,
  condition: sql`true`,
  businessId: null,
};

type NewCoreMessage = Pick<CoreMessage, "id" | "sealed" | "expiresAt" | "createdAt">;

/**
 * A write that queues a message of the service, if the condition is true in the same batch. Repeating
 * it changes nothing.
 */
export const queueCoreMessage = (
  db: Db,
  { id, sealed, expiresAt, createdAt }: NewCoreMessage,
  condition: SQL = sql`true`,
): Write =>
  db
    .insert(coreMessages)
    .select(
      sql`select ${id}, ${sealed}, 0, null, ${createdAt}, ${expiresAt}, ${createdAt} where ${condition}`,
    )
    .onConflictDoNothing();

/** Claims due messages, or one of them. Each attempt is counted with its claim. */
export const claimCoreMessages = (
  db: Db,
  { now, limit, id }: Readonly<{ now: number; limit: number; id: string | null }>,
): Promise<CoreMessage[]> =>
  db
    .update(coreMessages)
    .set({
      nextAttemptAt: leaseEndSql(coreMessages, now),
      attempts: sql`${coreMessages.attempts} + 1`,
      firstAttemptAt: sql`coalesce(${coreMessages.firstAttemptAt}, ${now})`,
    })
    .where(
      sql`${coreMessages.id} in (select due.id from core_messages as due
        where due.next_attempt_at <= ${now} and ${id === null ? sql`true` : sql`due.id = ${id}`}
        order by due.next_attempt_at limit ${limit})`,
    )
    .returning();

/** The message, unless another run has claimed it after the lease. */
const isClaimed = ({ id, nextAttemptAt }: CoreMessage) =>
  and(eq(coreMessages.id, id), eq(coreMessages.nextAttemptAt, nextAttemptAt));

export const rescheduleCoreMessage = (db: Db, message: CoreMessage, at: number): Write =>
  db.update(coreMessages).set({ nextAttemptAt: at }).where(isClaimed(message));

export const deleteCoreMessage = (db: Db, message: CoreMessage): Write =>
  db.delete(coreMessages).where(isClaimed(message));
