import { type SQL, sql } from "drizzle-orm";
import { type Db, idForRank, isUnfenced } from "../../database/index.ts";
import { hour } from "../../kernel/index.ts";
import { endingNoticeMs } from "../settings.ts";
import { messages } from "../tables.ts";

/**
 * How long after a failed payment its message is still queued. A run queues those that every run
 * before has missed, and each only once.
 */
const failureWindowMs = 24 * hour;

type Scan = Readonly<{ idStem: string; now: number; limit: number }>;

/**
 * A write that queues the messages about subscriptions of a shard that follow from stored times: a
 * payment failed, or the planned end is near. Their source ids make each of them unique. Reads the
 * tables subscriptions of shared/subscriptions and orders of shared/orders.
 */
export const queueSubscriptionMessages = (db: Db, { idStem, now, limit }: Scan) =>
  db
    .insert(messages)
    .select(sql`
      select ${idForRank(idStem)}, business_id, name, 'email', email, source_id, null, subject_id,
        order_id, customer_id, 'queued', 0, null, ${now}, null, null, null, ${now}, null,
        null, null
      from (
        select due.*, buyer.customer_email as email, row_number() over (order by due.subject_id) - 1 as rank
        from (select * from ${unannounced(now)} limit ${limit}) as due
        join orders as buyer on buyer.id = due.order_id
        )
      where true`)
    .onConflictDoNothing()
    .returning({ id: messages.id });

/** Since when the oldest of these messages waits to be queued; null when none does. */
export async function findOldestUnannounced(db: Db, now: number): Promise<number | null> {
  const [oldest] = await db
    .select({ since: sql<number | null>`min(due.since)` })
    .from(sql`${unannounced(now)} as due`);
  return oldest?.since ?? null;
}

/**
 * SQL for what has happened without a message, to customers who can be reached. Reads the table
 * orders of shared/orders.
 */
const unannounced = (now: number): SQL => sql`(
  select candidate.* from (${failedPayments(now)} union all ${nearEnds(now)}) as candidate
  join orders as first on first.id = candidate.order_id
  where first.customer_email is not null and not exists (
    select 1 from ${messages} as made
    where made.business_id = candidate.business_id and made.source_id = candidate.source_id
      and made.name = candidate.name))`;

/** Reads the table subscriptions of shared/subscriptions. */
const failedPayments = (now: number): SQL => sql`
  select failed.business_id, 'subscription.renewal_failed' as name, failed.id as subject_id,
    failed.id || ' ' || failed.failed_at as source_id, failed.order_id, failed.customer_id,
    failed.failed_at as since
  from subscriptions as failed
  where failed.failed_at is not null and failed.failed_at between ${now - failureWindowMs} and ${now}
    and ${isUnfenced(sql`failed.business_id`)}`;

/** Reads the table subscriptions of shared/subscriptions. */
const nearEnds = (now: number): SQL => sql`
  select ending.business_id, 'subscription.ending', ending.id,
    ending.id || ' ' || ending.ends_at, ending.order_id, ending.customer_id,
    max(ending.ends_at - ${endingNoticeMs}, ending.updated_at)
  from subscriptions as ending
  where ending.ends_at is not null and ending.status <> 'cancelled'
    and ending.ends_at between ${now} and ${now + endingNoticeMs}
    and ${isUnfenced(sql`ending.business_id`)}`;
