import { and, asc, eq, inArray, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Db, events, unfenced } from "../database/index.ts";
import type { WebhookScope } from "./context.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";

/** Deliveries to receivers that are no more, ended in one go. */
const maxEnded = 500;

/** The business's events on their way to its subscriptions. */
export function outboxRepo({ db, business }: WebhookScope) {
  return {
    /**
     * Makes a delivery for each waiting event and each active subscription that wants its type,
     * and takes the events off the list, both or neither. Answers how many events those were. Due
     * deliveries to subscriptions that were deleted or disabled meanwhile end here.
     *
     * @param idStem an id of a delivery without its last three characters, which number the rows.
     */
    async layOut({
      idStem,
      now,
      limit,
    }: {
      idStem: string;
      now: number;
      limit: number;
    }): Promise<number> {
      const waiting = db
        .select({ id: events.id })
        .from(events)
        .where(and(eq(events.businessId, business.id), isNull(events.dispatchedAt)))
        .orderBy(asc(events.createdAt), asc(events.id))
        .limit(limit);
      const [, , laidOut] = await db.batch([
        db
          .update(webhookDeliveries)
          .set({ status: "failed", nextAttemptAt: null, leaseUntil: null })
          .where(inArray(webhookDeliveries.id, unreceived(business.id, now))),
        db
          .insert(webhookDeliveries)
          .select(deliveriesFor(waiting, { idStem, now, businessId: business.id }))
          .onConflictDoNothing({
            target: [webhookDeliveries.eventId, webhookDeliveries.subscriptionId],
          }),
        db
          .update(events)
          .set({ dispatchedAt: now })
          .where(inArray(events.id, waiting))
          .returning({ id: events.id }),
      ]);
      return laidOut.length;
    },
  };
}

/** Due deliveries that nobody is there to receive, and that nobody has in hand. */
const unreceived = (businessId: string, now: number): SQL => sql`(
  select d.id from ${webhookSubscriptions} s cross join ${webhookDeliveries} d
  where s.business_id = ${businessId} and (s.status <> 'active' or s.deleted_at is not null)
    and d.subscription_id = s.id and (d.first_attempt_at is null) in (0, 1)
    and d.next_attempt_at <= ${now} and coalesce(d.lease_until, 0) <= ${now}
  limit ${maxEnded})`;

/** The rows to insert, their columns in the table's order. */
const deliveriesFor = (
  waiting: SQLWrapper,
  { idStem, now, businessId }: { idStem: string; now: number; businessId: string },
) => sql`
  select ${idOfRank(idStem)}, ${businessId}, subscription_id, event_id, 'pending', '[]', null, ${now}, null, ${now}
  from (
    select e.id as event_id, s.id as subscription_id,
      row_number() over (order by e.created_at, e.id, s.created_at, s.id) as rank
    from ${events} e
    join ${webhookSubscriptions} s on s.business_id = e.business_id
    where e.id in ${waiting} and s.status = 'active' and s.deleted_at is null
      and exists (select 1 from json_each(s.events) where value = e.type)
  )
  where true`;

/** The ids of rows that one statement makes: a stem, which is an id without its last three characters, and the row's `rank`. */
export const idOfRank = (idStem: string): SQL =>
  sql`${idStem} || ${base32("rank >> 10")} || ${base32("rank >> 5")} || ${base32("rank")}`;

/** The base-32 digit of TypeIDs for the lowest five bits of an SQL expression of ours. */
const base32 = (expression: "rank >> 10" | "rank >> 5" | "rank") =>
  sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${sql.raw(expression)}) & 31) + 1, 1)`;

/**
 * The businesses of a shard that have events to lay out or deliveries due, in one round trip. It steps
 * from business to business in the indexes, so that a backlog is not read to find whose it is.
 */
export async function findBusinessesWithWork(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const [waiting, due] = await db.batch([
    db
      .select({ id: sql<string>`own.id` })
      .from(sql`(${businessesIn("events", "dispatched_at is null")}) own`)
      .limit(limit),
    db
      .select({ id: sql<string>`own.id` })
      .from(
        sql`(select pending.id, (select min(next_attempt_at) from ${webhookDeliveries}
            where business_id = pending.id and next_attempt_at is not null) as first_due
          from (${businessesIn("webhook_deliveries", "next_attempt_at is not null")}) pending) own`,
      )
      .where(lte(sql`own.first_due`, now))
      .orderBy(sql`own.first_due`)
      .limit(limit),
  ]);
  return [...new Set([...due, ...waiting].map(({ id }) => id))];
}

/** Each business_id once that a partial index over (business_id, …) holds. */
const businessesIn = (
  table: "events" | "webhook_deliveries",
  condition: "dispatched_at is null" | "next_attempt_at is not null",
): SQL => {
  const rows = sql.raw(`${table} where ${condition}`);
  return sql`with recursive step(id) as (
      select min(business_id) from ${rows}
      union all
      select (select min(business_id) from ${rows} and business_id > step.id)
      from step where step.id is not null)
    select id from step where id is not null and ${unfenced(sql`step.id`)}`;
};
