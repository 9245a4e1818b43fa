import { and, eq, type SQL, sql } from "drizzle-orm";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Db, type DueRows, isUnfenced, type Write } from "../../database/index.ts";
import { hour, minute } from "../../kernel/index.ts";
import { erasedRecipient, maskRecipient, type QueuedMessage } from "../message.ts";
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

/** Which due messages a run claims: those of one business, or one of them; null for all. */
export type ClaimScope = Readonly<{ businessId: string; messageId: string | null }>;

/** SQL for when the lease of an attempt ends, by the columns of the message. */
export const leaseEndSql = (
  { attempts, firstAttemptAt, expiresAt }: Readonly<Record<LeaseColumn, AnySQLiteColumn>>,
  now: number,
): SQL<number> =>
  sql`max(${now + leaseMs}, case when ${expiresAt} is null or ${expiresAt} - ${now} > ${hour}
    then coalesce(${firstAttemptAt}, ${now}) + coalesce(${JSON.stringify(retryOffsetsMs)} ->> ${attempts}, 0)
    else 0 end)`;
type LeaseColumn = "attempts" | "firstAttemptAt" | "expiresAt";

/**
 * Claims due messages of a shard, or of one business, longest overdue first. The attempt is counted
 * with the claim. One that crashes leaves the message to the next time of the schedule. After the
 * last of them the message has failed, and is returned so that it can be reported.
 */
export async function claimDueMessages(
  db: Db,
  { now, limit, scope }: Readonly<{ now: number; limit: number; scope: ClaimScope | null }>,
): Promise<ClaimedMessage[]> {
  const isOwn: SQL = scope === null ? sql`true` : sql`+due.business_id = ${scope.businessId}`;
  const isOne: SQL = scope?.messageId ? sql`due.id = ${scope.messageId}` : sql`true`;
  const byAttempt = (then: SQL | string, otherwise: SQL): SQL =>
    sql`case when ${messages.attempts} >= ${maxAttempts} then ${then} else ${otherwise} end`;
  const firstAt = sql`coalesce(${messages.firstAttemptAt}, ${now})`;
  const rows = await db
    .update(messages)
    .set({
      status: byAttempt("failed", sql`${messages.status}`),
      error: byAttempt("interrupted", sql`${messages.error}`),
      nextAttemptAt: byAttempt(sql`null`, leaseEndSql(messages, now)),
      recipient: sql`case when ${messages.attempts} >= ${maxAttempts} and ${messages.sealedValues} is not null
        then ${`${erasedRecipient} `} || ${messages.id} else ${messages.recipient} end`,
      sealedValues: byAttempt(sql`null`, sql`${messages.sealedValues}`),
      attempts: sql`min(${messages.attempts} + 1, ${maxAttempts})`,
      firstAttemptAt: firstAt,
    })
    .where(
      sql`${messages.id} in (select due.id from messages as due
        where due.next_attempt_at is not null and due.next_attempt_at <= ${now} and ${isOwn}
          and ${isOne} and ${isUnfenced(sql`due.business_id`)} order by due.next_attempt_at limit ${limit})`,
    )
    .returning();
  return rows.map((row) => ({ ...row, leaseUntil: row.nextAttemptAt }));
}

/** What an attempt changes of its message. */
export type AttemptOutcome = Pick<
  QueuedMessage,
  "status" | "nextAttemptAt" | "provider" | "providerId" | "error" | "sentAt"
>;

/**
 * Stores the outcome, unless another run has claimed the message after the lease. A code that has
 * ended leaves neither its values nor its whole recipient, because no customer's erasure finds it.
 */
export const recordOutcome = (
  db: Db,
  { id, businessId, leaseUntil, ...message }: ClaimedMessage,
  outcome: AttemptOutcome,
): Write =>
  db
    .update(messages)
    .set({
      ...outcome,
      ...(outcome.status !== "queued" && { sealedValues: null }),
      ...(outcome.status !== "queued" &&
        message.name === "one_time_code" && { recipient: maskRecipient(message) }),
    })
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
