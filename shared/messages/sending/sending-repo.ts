import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced, type Write } from "../../database/index.ts";
import { minute } from "../../kernel/index.ts";
import type { QueuedMessage } from "../message.ts";
import { messages, suppressedRecipients } from "../tables.ts";
import { maxAttempts, retryOffsetsMs } from "./retry-schedule.ts";

/** The messages that `claimDueMessages` claims. */
export const dueMessages: DueRows = {
  table: messages,
  since: messages.nextAttemptAt,
  condition: sql`next_attempt_at is not null`,
  businessId: messages.businessId,
};

/** Longer than the timeouts of a provider's call together. Another run may claim it after that. */
const leaseMs = 2 * minute;

/** A message that a run has claimed: no other run sends it before the lease ends. */
export type ClaimedMessage = QueuedMessage &
  Readonly<{
    businessId: string;
    /** Null for a message that has failed, because none of its attempts came to an end. */
    leaseUntil: number | null;
  }>;

/**
 * Claims due messages of a shard, or of one business, longest overdue first. The attempt is counted
 * with the claim. One that crashes leaves the message to the next time of the schedule, and after the
 * last of them the message has failed.
 */
export async function claimDueMessages(
  db: Db,
  { now, limit, businessId }: Readonly<{ now: number; limit: number; businessId: string | null }>,
): Promise<ClaimedMessage[]> {
  const isOwn: SQL = businessId === null ? sql`true` : sql`+due.business_id = ${businessId}`;
  const byAttempt = (then: SQL | string, otherwise: SQL): SQL =>
    sql`case when ${messages.attempts} >= ${maxAttempts} then ${then} else ${otherwise} end`;
  const firstAt = sql`coalesce(${messages.firstAttemptAt}, ${now})`;
  const offset = sql`coalesce(${JSON.stringify(retryOffsetsMs)} ->> ${messages.attempts}, 0)`;
  const rows = await db
    .update(messages)
    .set({
      status: byAttempt("failed", sql`${messages.status}`),
      error: byAttempt("interrupted", sql`${messages.error}`),
      nextAttemptAt: byAttempt(sql`null`, sql`max(${now + leaseMs}, ${firstAt} + ${offset})`),
      attempts: sql`min(${messages.attempts} + 1, ${maxAttempts})`,
      firstAttemptAt: firstAt,
    })
    .where(
      sql`${messages.id} in (select due.id from messages as due
        where due.next_attempt_at is not null and due.next_attempt_at <= ${now} and ${isOwn}
          and ${isUnfenced(sql`due.business_id`)} order by due.next_attempt_at limit ${limit})`,
    )
    .returning();
  return rows.map((row) => ({ ...row, leaseUntil: row.nextAttemptAt }));
}

/** What an attempt changes of its message. */
export type AttemptOutcome = Pick<
  QueuedMessage,
  "status" | "nextAttemptAt" | "provider" | "providerId" | "error" | "sentAt"
>;

/** Stores the outcome, unless another run has claimed the message after the lease. */
export const recordOutcome = (
  db: Db,
  { id, businessId, leaseUntil }: ClaimedMessage,
  outcome: AttemptOutcome,
): Write =>
  db
    .update(messages)
    .set(outcome)
    .where(
      and(
        eq(messages.id, id),
        sql`+${messages.businessId} = ${businessId}`,
        eq(messages.status, "queued"),
        sql`${messages.nextAttemptAt} = ${leaseUntil}`,
      ),
    );

/** Marks an address to which the provider delivers nothing. */
export const suppressRecipient = (
  db: Db,
  { businessId, channel, recipient }: ClaimedMessage,
  now: number,
): Write =>
  db
    .insert(suppressedRecipients)
    .values({ businessId, channel, recipient, reason: "bounced", createdAt: now })
    .onConflictDoNothing();
