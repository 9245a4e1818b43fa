import { and, asc, eq, inArray, isNull, lte, or, type SQLWrapper, sql } from "drizzle-orm";
import { type Db, events } from "../database/index.ts";
import type { WebhookScope } from "./context.ts";
import type { DueDelivery, SettledDelivery } from "./delivery.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";
import { maxConsecutiveFailures } from "./webhook.ts";

/** The business's events on their way to its subscriptions. */
export function deliveryRepo({ db, business }: WebhookScope) {
  return {
    /**
     * Makes a delivery for each waiting event and each active subscription that wants its type,
     * and takes the events off the list, both or neither. Answers how many events those were.
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
      const [, laidOut] = await db.batch([
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

    /**
     * Takes due deliveries in hand until `leaseUntil`, so that nobody else does. Reading and
     * claiming see the same rows, since a batch is one transaction.
     */
    async claim({
      now,
      leaseUntil,
      limit,
    }: {
      now: number;
      leaseUntil: number;
      limit: number;
    }): Promise<DueDelivery[]> {
      const due = db
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.businessId, business.id), isDue(now)))
        .orderBy(asc(webhookDeliveries.nextAttemptAt), asc(webhookDeliveries.id))
        .limit(limit);
      const [rows] = await db.batch([
        db
          .select(dueColumns)
          .from(webhookDeliveries)
          .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
          .innerJoin(
            webhookSubscriptions,
            eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId),
          )
          .where(inArray(webhookDeliveries.id, due)),
        db.update(webhookDeliveries).set({ leaseUntil }).where(inArray(webhookDeliveries.id, due)),
      ]);
      return rows.map(fromRow);
    },

    /** Writes down how claimed deliveries ended; does nothing for those whose lease another has taken over. */
    async record(settled: readonly SettledDelivery[], leaseUntil: number): Promise<void> {
      const outcomes = JSON.stringify(settled);
      const held = and(
        eq(webhookDeliveries.businessId, business.id),
        eq(webhookDeliveries.leaseUntil, leaseUntil),
      );
      await db.batch([
        db
          .update(webhookSubscriptions)
          .set({
            consecutiveFailures: sql`case when delivered then 0 else ${failures} end`,
            status: sql`case when not delivered and ${failures} >= ${maxConsecutiveFailures}
              then 'disabled' else ${webhookSubscriptions.status} end`,
          })
          .from(sql`(
            select ${webhookDeliveries.subscriptionId} as receiver,
              max(o.value ->> 'status' = 'delivered') as delivered,
              sum(o.value ->> 'status' = 'exhausted') as exhausted
            from json_each(${outcomes}) o
            join ${webhookDeliveries} on ${webhookDeliveries.id} = o.value ->> 'id'
            where ${held}
            group by ${webhookDeliveries.subscriptionId})`)
          .where(sql`${webhookSubscriptions.id} = receiver
            and (exhausted > 0 or ${webhookSubscriptions.consecutiveFailures} > 0)`),
        db
          .update(webhookDeliveries)
          .set({
            status: sql`o.value ->> 'status'`,
            attempts: sql`o.value -> 'attempts'`,
            firstAttemptAt: sql`o.value ->> 'firstAttemptAt'`,
            nextAttemptAt: sql`o.value ->> 'nextAttemptAt'`,
            leaseUntil: null,
          })
          .from(sql`json_each(${outcomes}) o`)
          .where(and(sql`${webhookDeliveries.id} = o.value ->> 'id'`, held)),
      ]);
    },
  };
}

const failures = sql`${webhookSubscriptions.consecutiveFailures} + exhausted`;

/** The rows to insert, their columns in the table's order. */
const deliveriesFor = (
  waiting: SQLWrapper,
  { idStem, now, businessId }: { idStem: string; now: number; businessId: string },
) => sql`
  select ${idStem} || ${base32("rank >> 10")} || ${base32("rank >> 5")} || ${base32("rank")},
    ${businessId}, subscription_id, event_id, 'pending', '[]', null, ${now}, null, ${now}
  from (
    select e.id as event_id, s.id as subscription_id,
      row_number() over (order by e.created_at, e.id, s.created_at, s.id) as rank
    from ${events} e
    join ${webhookSubscriptions} s on s.business_id = e.business_id
    where e.id in ${waiting} and s.status = 'active' and s.deleted_at is null
      and exists (select 1 from json_each(s.events) where value = e.type)
  )
  where true`;

/** The businesses of a shard that have events to lay out or deliveries due, in one round trip. */
export async function findBusinessesWithWork(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const [waiting, due] = await db.batch([
    db
      .select({ businessId: events.businessId })
      .from(events)
      .where(isNull(events.dispatchedAt))
      .groupBy(events.businessId)
      .limit(limit),
    db
      .select({ businessId: webhookDeliveries.businessId })
      .from(webhookDeliveries)
      .where(isDue(now))
      .groupBy(webhookDeliveries.businessId)
      .orderBy(sql`min(${webhookDeliveries.nextAttemptAt})`)
      .limit(limit),
  ]);
  return [...new Set([...due, ...waiting].map(({ businessId }) => businessId))];
}

const isDue = (now: number) =>
  and(
    lte(webhookDeliveries.nextAttemptAt, now),
    or(isNull(webhookDeliveries.leaseUntil), lte(webhookDeliveries.leaseUntil, now)),
  );

/** The base-32 digit of TypeIDs for the lowest five bits of an SQL expression of ours. */
const base32 = (expression: "rank >> 10" | "rank >> 5" | "rank") =>
  sql`substr('0123456789abcdefghjkmnpqrstvwxyz', ((${sql.raw(expression)}) & 31) + 1, 1)`;

// A batch's rows come as objects by column name: no two of these may bear the same one.
const dueColumns = {
  id: webhookDeliveries.id,
  attempts: webhookDeliveries.attempts,
  firstAttemptAt: webhookDeliveries.firstAttemptAt,
  eventId: webhookDeliveries.eventId,
  type: events.type,
  data: events.data,
  createdAt: events.createdAt,
  subscriptionId: webhookDeliveries.subscriptionId,
  url: webhookSubscriptions.url,
  status: webhookSubscriptions.status,
  secretGeneration: webhookSubscriptions.secretGeneration,
  previousSecretUntil: webhookSubscriptions.previousSecretUntil,
  deletedAt: webhookSubscriptions.deletedAt,
};

type DueRow = Omit<DueDelivery, "event" | "subscription"> &
  Omit<DueDelivery["event"], "id"> &
  Omit<DueDelivery["subscription"], "id"> &
  Readonly<{ eventId: string; subscriptionId: string }>;

function fromRow({
  id,
  attempts,
  firstAttemptAt,
  eventId,
  type,
  data,
  createdAt,
  ...rest
}: DueRow): DueDelivery {
  const { subscriptionId, ...subscription } = rest;
  return {
    id,
    attempts,
    firstAttemptAt,
    event: { id: eventId, type, data, createdAt },
    subscription: { id: subscriptionId, ...subscription },
  };
}
