import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { auditEntries, events, nameOf } from "../database/index.ts";
import type { WebhookScope } from "./context.ts";
import type { DueDelivery, SettledDelivery } from "./delivery.ts";
import { idOfRank } from "./outbox-repo.ts";
import { breaker, claimsOfReceiver } from "./receiver.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";
import { maxConsecutiveFailures } from "./webhook.ts";

/** In whose name a receiver that takes nothing is disabled. */
const deliverer = { type: "system", job: "deliver-webhooks" } as const;

/** The business's deliveries in hand. */
export function deliveryRepo({ db, business }: WebhookScope) {
  /** What is still held under the lease that it was taken with; what another has taken over is his. */
  const held = and(
    eq(webhookDeliveries.businessId, business.id),
    sql`${webhookDeliveries.leaseUntil} = o.value ->> 'leaseUntil'`,
  );

  /** What the outcomes say of each receiver. */
  const answers = (outcomes: string) => sql`(
    select ${webhookDeliveries.subscriptionId} as receiver,
      max(o.value ->> 'hasArrived') as arrived,
      sum(1 - (o.value ->> 'hasArrived')) as failed,
      sum(o.value ->> 'usedUp') as used_up
    from json_each(${outcomes}) o
    join ${webhookDeliveries} on ${webhookDeliveries.id} = o.value ->> 'id'
    where ${held} and o.value ->> 'hasArrived' is not null
    group by ${webhookDeliveries.subscriptionId})`;

  /** The audit entries of subscriptions that `recordReceivers`, after it, is going to disable. */
  const auditDisabled = (
    outcomes: string,
    { now, auditStem }: { now: number; auditStem: string },
  ) =>
    db.insert(auditEntries).select(sql`
      select ${idOfRank(auditStem)}, ${business.id}, ${nameOf(deliverer)}, 'webhook.disabled', receiver,
        '{"status":"active"}', json_object('status', 'disabled', 'consecutiveFailures', in_a_row), ${now}
      from (
        select receiver, ${usedUpInARow} as in_a_row, row_number() over (order by receiver) as rank
        from ${answers(outcomes)} cross join ${webhookSubscriptions}
        where ${webhookSubscriptions.id} = receiver and not arrived
          and ${usedUpInARow} >= ${maxConsecutiveFailures}
          and ${webhookSubscriptions.status} = 'active' and ${webhookSubscriptions.deletedAt} is null)`);

  const recordReceivers = (outcomes: string, now: number) =>
    db
      .update(webhookSubscriptions)
      .set({
        consecutiveFailures: sql`case when arrived then 0 else ${usedUpInARow} end`,
        failedAttempts: sql`case when arrived then 0 else ${failedInARow} end`,
        heldUntil: sql`case when arrived then null
          when ${failedInARow} >= ${breaker.opensAfter} then ${now} + ${hold}
          else ${webhookSubscriptions.heldUntil} end`,
        status: sql`case when not arrived and ${usedUpInARow} >= ${maxConsecutiveFailures}
          then 'disabled' else ${webhookSubscriptions.status} end`,
      })
      .from(answers(outcomes))
      .where(sql`${webhookSubscriptions.id} = receiver
        and (not arrived or ${webhookSubscriptions.failedAttempts} > 0
          or ${webhookSubscriptions.consecutiveFailures} > 0)`);

  const recordDeliveries = (outcomes: string) =>
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
      .where(and(sql`${webhookDeliveries.id} = o.value ->> 'id'`, held));

  return {
    /**
     * Writes down how deliveries stand, unless their lease has gone to another, and takes due ones
     * in hand until `leaseUntil`, so that nobody else does; one round trip, both or neither. Each
     * receiver in turn gets one, then each a second and so on, retries before first attempts.
     *
     * @param auditStem an id of an audit entry without its last three characters, for receivers that this disables.
     */
    async recordAndTake(
      settled: readonly SettledDelivery[],
      {
        now,
        leaseUntil,
        limit,
        auditStem,
      }: { now: number; leaseUntil: number; limit: number; auditStem: string },
    ): Promise<DueDelivery[]> {
      if (settled.length === 0 && limit <= 0) return [];
      const outcomes = JSON.stringify(settled);
      const taken = takenOf({ businessId: business.id, now, limit: Math.max(limit, 0) });
      const [, , , rows] = await db.batch([
        auditDisabled(outcomes, { now, auditStem }),
        recordReceivers(outcomes, now),
        recordDeliveries(outcomes),
        db
          .select(dueColumns)
          .from(webhookDeliveries)
          .innerJoin(events, eq(events.id, webhookDeliveries.eventId))
          .innerJoin(
            webhookSubscriptions,
            eq(webhookSubscriptions.id, webhookDeliveries.subscriptionId),
          )
          .where(inArray(webhookDeliveries.id, taken)),
        db
          .update(webhookDeliveries)
          .set({ leaseUntil })
          .where(inArray(webhookDeliveries.id, taken)),
      ]);
      return rows.map((row) => fromRow(row, { leaseUntil, now }));
    },
  };
}

const usedUpInARow = sql`(${webhookSubscriptions.consecutiveFailures} + used_up)`;
const failedInARow = sql`(${webhookSubscriptions.failedAttempts} + failed)`;

/** As `holdMs`; five doublings are beyond the longest hold, and within an integer. */
const hold = sql`min(${breaker.longestHoldMs},
  ${breaker.shortestHoldMs} << min(${failedInARow} - ${breaker.opensAfter}, 5))`;

type Taking = Readonly<{ businessId: string; now: number; limit: number }>;

/** The ids to take in hand: per receiver what its room allows, spread over the receivers. */
const takenOf = ({ businessId, now, limit }: Taking): SQL => sql`
  (select id from (
    select id, next_attempt_at, receiver, room,
      row_number() over (partition by receiver order by is_first, next_attempt_at, id) as place
    from (${dueOf({ businessId, now, isFirst: 0 })} union all ${dueOf({ businessId, now, isFirst: 1 })}))
  where place <= room - (
    select count(*) from ${webhookDeliveries} in_hand
    where in_hand.subscription_id = receiver and in_hand.lease_until > ${now})
  order by place, next_attempt_at, id limit ${limit})`;

/**
 * Retries, or first attempts, that are due: of each receiver as many as it may get at once, so that
 * its backlog is not read. A receiver whose breaker is open gets no first ones.
 */
const dueOf = ({
  businessId,
  now,
  isFirst,
}: Omit<Taking, "limit"> & Readonly<{ isFirst: 0 | 1 }>): SQL => sql`
  select d.id, d.next_attempt_at, s.id as receiver, ${isFirst} as is_first,
    case when s.failed_attempts > 0 then 1 else ${claimsOfReceiver} end as room
  from ${webhookSubscriptions} s cross join ${webhookDeliveries} d
  where s.business_id = ${businessId} and s.status = 'active' and s.deleted_at is null
    ${isFirst === 1 ? sql`and coalesce(s.held_until, 0) <= ${now}` : sql``}
    and d.id in (
      select due.id from ${webhookDeliveries} due
      where due.subscription_id = s.id and (due.first_attempt_at is null) = ${isFirst}
        and due.next_attempt_at <= ${now} and coalesce(due.lease_until, 0) <= ${now}
      order by due.next_attempt_at limit ${claimsOfReceiver})`;

// A batch's rows come as objects by column name: no two of these may bear the same one.
const dueColumns = {
  id: webhookDeliveries.id,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  firstAttemptAt: webhookDeliveries.firstAttemptAt,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  eventId: webhookDeliveries.eventId,
  type: events.type,
  data: events.data,
  createdAt: events.createdAt,
  isTest: events.isTest,
  subscriptionId: webhookDeliveries.subscriptionId,
  url: webhookSubscriptions.url,
  secretGeneration: webhookSubscriptions.secretGeneration,
  retiredSecrets: webhookSubscriptions.retiredSecrets,
  failedAttempts: webhookSubscriptions.failedAttempts,
};

type DueRow = Pick<DueDelivery, "id" | "status" | "attempts" | "firstAttemptAt"> &
  Omit<DueDelivery["event"], "id"> &
  Omit<DueDelivery["subscription"], "id"> &
  Readonly<{ nextAttemptAt: number | null; eventId: string; subscriptionId: string }>;

const fromRow = (
  { eventId, type, data, createdAt, isTest, ...row }: DueRow,
  { leaseUntil, now }: { leaseUntil: number; now: number },
): DueDelivery => ({
  id: row.id,
  leaseUntil,
  status: row.status,
  attempts: row.attempts,
  firstAttemptAt: row.firstAttemptAt,
  nextAttemptAt: row.nextAttemptAt ?? now,
  event: { id: eventId, type, data, createdAt, isTest },
  subscription: {
    id: row.subscriptionId,
    url: row.url,
    secretGeneration: row.secretGeneration,
    retiredSecrets: row.retiredSecrets,
    failedAttempts: row.failedAttempts,
  },
});
