import { and, asc, eq, inArray, isNull, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type Db, events, idForRank, isUnfenced, type Write } from "../database/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import { isAboutOrder, orderIdOf } from "./platform-events-query.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";

/** A write of the batch that dispatches events, from a query of their ids, and its result. */
export type DispatchWrites = Readonly<{
  writesFor: (eventIds: SQLWrapper) => readonly Write[];
  receive: (results: readonly unknown[]) => void;
}>;

export const noOtherWrites: DispatchWrites = { writesFor: () => [], receive: () => {} };

/** How many deliveries to disabled or deleted webhook subscriptions one batch marks as failed. */
const maxEndedDeliveries = 500;

/**
 * The events of one business that have no webhook deliveries yet. Reads and updates the table
 * events of shared/database.
 */
export function outboxRepo({ db, business }: WebhookRepoContext) {
  return {
    /**
     * Inserts the deliveries of new events and marks the events as dispatched, in one batch. The
     * same batch marks due deliveries to disabled or deleted webhook subscriptions as failed.
     *
     * @param idStem a delivery id without its last three characters, which number the rows.
     * @returns the number of dispatched events, and whether any delivery of the business is due,
     * also of earlier events.
     */
    async createDeliveries(
      { idStem, now, limit }: { idStem: string; now: number; limit: number },
      { writesFor, receive }: DispatchWrites,
    ): Promise<Readonly<{ dispatched: number; isAnyDue: boolean }>> {
      const undispatched = db
        .select({ id: events.id })
        .from(events)
        .where(and(eq(events.businessId, business.id), isNull(events.dispatchedAt)))
        // The order of the transactions: the clocks of Workers differ.
        .orderBy(asc(sql`${events}.rowid`))
        .limit(limit);
      const others = writesFor(undispatched);
      const [, , dueDeliveries, ...results] = await db.batch([
        db
          .update(webhookDeliveries)
          .set({ status: "failed", nextAttemptAt: null, leaseUntil: null })
          .where(inArray(webhookDeliveries.id, undeliverable(business.id, now))),
        db
          .insert(webhookDeliveries)
          .select(deliveriesFor(undispatched, { idStem, now, businessId: business.id }))
          .onConflictDoNothing({
            target: [webhookDeliveries.eventId, webhookDeliveries.subscriptionId],
          }),
        db
          .select({ id: webhookDeliveries.id })
          .from(webhookDeliveries)
          .where(
            and(
              eq(webhookDeliveries.businessId, business.id),
              lte(webhookDeliveries.nextAttemptAt, now),
            ),
          )
          .limit(1),
        ...others,
        db
          .update(events)
          .set({ dispatchedAt: now })
          .where(inArray(events.id, undispatched))
          .returning({ id: events.id }),
      ]);
      receive(results.slice(0, -1));
      const dispatched = results.at(-1);
      return {
        dispatched: Array.isArray(dispatched) ? dispatched.length : 0,
        isAnyDue: dueDeliveries.length > 0,
      };
    },
  };
}

/** SQL for due deliveries to disabled or deleted webhook subscriptions, except claimed ones. */
const undeliverable = (businessId: string, now: number): SQL => sql`(
  select d.id from ${webhookSubscriptions} s cross join ${webhookDeliveries} d
  where s.business_id = ${businessId} and (s.status <> 'active' or s.deleted_at is not null)
    and d.id in (
      select id from ${webhookDeliveries} where subscription_id = s.id
        and first_attempt_at is null and next_attempt_at is not null
      union all
      select id from ${webhookDeliveries} where subscription_id = s.id
        and first_attempt_at is not null and next_attempt_at <= ${now})
    and d.next_attempt_at <= ${now} and coalesce(d.lease_until, 0) <= ${now}
  limit ${maxEndedDeliveries})`;

/**
 * SQL for the rows to insert, with the columns in the order of the table. The deliveries of a
 * subscription get rowids in the order of their events, on which claims rely. Reads the table
 * agent_orders of shared/orders.
 */
const deliveriesFor = (
  undispatched: SQLWrapper,
  { idStem, now, businessId }: { idStem: string; now: number; businessId: string },
) => sql`
  select ${idForRank(idStem)}, ${businessId}, subscription_id, event_id, 'pending', '[]', null, ${now}, null, ${now}, null
  from (
    select event_id, subscription_id,
      row_number() over (order by event_rowid, created_at, subscription_id) as rank
    from (
      select e.id as event_id, e.rowid as event_rowid, s.id as subscription_id, s.created_at
      from ${webhookSubscriptions} s cross join ${events} e
      where s.business_id = ${businessId} and s.platform_profile_url is null
        and s.status = 'active' and s.deleted_at is null
        and e.id in ${undispatched} and exists (select 1 from json_each(s.events) where value = e.type)
      union all
      select e.id, e.rowid, s.id, s.created_at
      from ${events} e
      cross join agent_orders placed on placed.order_id = ${orderIdOf("e")}
      join ${webhookSubscriptions} s
        on s.business_id = placed.business_id and s.platform_profile_url = placed.profile_url
      where e.id in ${undispatched} and ${isAboutOrder("e")} and placed.business_id = ${businessId}
        and placed.webhook_url is not null and s.status = 'active')
  )
  where true
  order by rank`;

/**
 * Finds the businesses of a shard with new events or due deliveries, in one round trip. The queries
 * read one index entry per business, and not all events or deliveries of a business.
 */
export async function findBusinessesWithDueWebhooks(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const [undispatched, due] = await db.batch([
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
  return [...new Set([...due, ...undispatched].map(({ id }) => id))];
}

/**
 * Since when the shard's oldest event waits for its deliveries, or its oldest delivery is due; null
 * when nothing is. Reads one index entry per business, like `findBusinessesWithDueWebhooks`, also of
 * the table events of shared/database.
 */
export async function findOldestDueWebhook(
  db: Db,
  { now, exceptBusinessIds = [] }: Readonly<{ now: number; exceptBusinessIds?: readonly string[] }>,
): Promise<number | null> {
  const isIncluded = sql`own.id not in (select value from json_each(${JSON.stringify(exceptBusinessIds)}))`;
  const [oldest] = await db
    .select({ dueAt: sql<number | null>`min(first.due_at)` })
    .from(
      sql`(select (select min(created_at) from events
            where business_id = own.id and dispatched_at is null) as due_at
          from (${businessesIn("events", "dispatched_at is null")}) own where ${isIncluded}
        union all
        select (select min(next_attempt_at) from webhook_deliveries
            where business_id = own.id and next_attempt_at is not null) as due_at
          from (${businessesIn("webhook_deliveries", "next_attempt_at is not null")}) own
          where ${isIncluded}) as first`,
    )
    .where(lte(sql`first.due_at`, now));
  return oldest?.dueAt ?? null;
}

/** SQL for the distinct business ids in a partial index that starts with business_id. */
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
    select id from step where id is not null and ${isUnfenced(sql`step.id`)}`;
};
