import { and, eq, type SQL, sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced, type Write } from "../../database/index.ts";
import { minute } from "../../kernel/index.ts";
import type { QueuedMessage } from "../message.ts";
import { messages, suppressedRecipients } from "../tables.ts";

/** The messages that `claimDueMessages` claims. */
export const dueMessages: DueRows = {
  table: messages,
  since: messages.nextAttemptAt,
  condition: sql`next_attempt_at is not null`,
  businessId: messages.businessId,
};

/** Longer than the timeouts of a provider's call together. Another run may claim it after that. */
const leaseMs = 2 * minute;

/** A message that a run has claimed: no other run sends it before `nextAttemptAt`. */
export type ClaimedMessage = QueuedMessage & Readonly<{ businessId: string; leaseUntil: number }>;

/**
 * Claims due messages of a shard, or of one business, longest overdue first. The attempt is counted
 * with the claim, so that one that crashed counts too.
 */
export async function claimDueMessages(
  db: Db,
  { now, limit, businessId }: Readonly<{ now: number; limit: number; businessId: string | null }>,
): Promise<ClaimedMessage[]> {
  const isOwn: SQL = businessId === null ? sql`true` : sql`+due.business_id = ${businessId}`;
  const leaseUntil = now + leaseMs;
  const rows = await db
    .update(messages)
    .set({
      nextAttemptAt: leaseUntil,
      attempts: sql`${messages.attempts} + 1`,
      firstAttemptAt: sql`coalesce(${messages.firstAttemptAt}, ${now})`,
    })
    .where(
      sql`${messages.id} in (select due.id from messages as due
        where due.next_attempt_at is not null and due.next_attempt_at <= ${now} and ${isOwn}
          and ${isUnfenced(sql`due.business_id`)} order by due.next_attempt_at limit ${limit})`,
    )
    .returning();
  return rows.map((row) => ({ ...row, leaseUntil }));
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
