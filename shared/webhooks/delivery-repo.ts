import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { actorName, auditEntries, events, idForRank, jsonChunks } from "../database/index.ts";
import type { WebhookRepoContext } from "./context.ts";
import type { DeliveredPlatform, DeliveryUpdate, DueDelivery, FullData } from "./delivery.ts";
import { orderIdOf } from "./platform-events-query.ts";
import {
  disableAfterFailedEvents,
  maxClaimsPerReceiver,
  oldestFirstAttempts,
  receiverBreaker,
} from "./receiver-health.ts";
import { webhookDeliveries, webhookSubscriptions } from "./tables.ts";

/** The actor in the audit entry when a failing webhook subscription is disabled. */
const disablingActor = { type: "system", job: "deliver-webhooks" } as const;

/**
 * The due and claimed webhook deliveries of one business. Also reads the table events and writes
 * the table audit_entries of shared/database.
 */
export function deliveryRepo({ db, business }: WebhookRepoContext) {
  /**
   * Matches a delivery while this run's lease is valid. After the lease has expired, another run
   * may have claimed the delivery.
   */
  const isStillLeased = and(
    eq(webhookDeliveries.businessId, business.id),
    sql`${webhookDeliveries.leaseUntil} = o.value ->> 'leaseUntil'`,
  );

  /** SQL that sums up the outcomes of attempts per receiver. */
  const outcomesByReceiver = (outcomes: string) => sql`(
    select ${webhookDeliveries.subscriptionId} as receiver,
      max(o.value ->> 'wasDelivered') as delivered,
      sum(1 - (o.value ->> 'wasDelivered')) as failed,
      sum(o.value ->> 'exhaustedRetries') as exhausted
    from json_each(${outcomes}) o
    join ${webhookDeliveries} on ${webhookDeliveries.id} = o.value ->> 'id'
    where ${isStillLeased} and o.value ->> 'wasDelivered' is not null
    group by ${webhookDeliveries.subscriptionId})`;

  /**
   * Inserts an audit entry for each webhook subscription that the next statement
   * (`recordReceivers`) disables.
   */
  const insertDisabledAudit = (
    outcomes: string,
    { now, auditStem }: { now: number; auditStem: string },
  ) =>
    db.insert(auditEntries).select(sql`
      select ${idForRank(auditStem)}, ${business.id}, ${actorName(disablingActor)}, 'webhook.disabled', receiver,
        '{"status":"active"}', json_object('status', 'disabled', 'consecutiveFailures', in_a_row), ${now}
      from (
        select receiver, ${exhaustedInARow} as in_a_row, row_number() over (order by receiver) as rank
        from ${outcomesByReceiver(outcomes)} cross join ${webhookSubscriptions}
        where ${webhookSubscriptions.id} = receiver and not delivered
          and ${exhaustedInARow} >= ${disableAfterFailedEvents}
          and ${webhookSubscriptions.status} = 'active' and ${webhookSubscriptions.deletedAt} is null)`);

  const recordReceivers = (outcomes: string, now: number) =>
    db
      .update(webhookSubscriptions)
      .set({
        consecutiveFailures: sql`case when delivered then 0 else ${exhaustedInARow} end`,
        failedAttempts: sql`case when delivered then 0 else ${failedInARow} end`,
        heldUntil: sql`case when delivered then null
          when ${failedInARow} >= ${receiverBreaker.opensAfter} then ${now} + ${holdSql}
          else ${webhookSubscriptions.heldUntil} end`,
        status: sql`case when not delivered and ${exhaustedInARow} >= ${disableAfterFailedEvents}
          then 'disabled' else ${webhookSubscriptions.status} end`,
      })
      .from(outcomesByReceiver(outcomes))
      .where(sql`${webhookSubscriptions.id} = receiver
        and (not delivered or ${webhookSubscriptions.failedAttempts} > 0
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
      .where(and(sql`${webhookDeliveries.id} = o.value ->> 'id'`, isStillLeased));

  return {
    /**
     * Records updates of deliveries and claims due deliveries until `leaseUntil`, in one batch. The
     * claims alternate between receivers, and retries come before first attempts. Updates whose
     * lease has expired are ignored.
     *
     * @param auditStem the id of the audit entries without its last three characters.
     */
    async recordAndClaim(
      updates: readonly DeliveryUpdate[],
      {
        now,
        leaseUntil,
        limit,
        auditStem,
      }: { now: number; leaseUntil: number; limit: number; auditStem: string },
    ): Promise<DueDelivery[]> {
      if (updates.length === 0 && limit <= 0) return [];
      const outcomes = JSON.stringify(updates);
      const claimed = claimableIds({ businessId: business.id, now, limit: Math.max(limit, 0) });
      const [, , , rows] = await db.batch([
        insertDisabledAudit(outcomes, { now, auditStem }),
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
          .where(inArray(webhookDeliveries.id, claimed)),
        db
          .update(webhookDeliveries)
          .set({ leaseUntil })
          .where(inArray(webhookDeliveries.id, claimed)),
      ]);
      return rows.map((row) => toDueDelivery(row, { leaseUntil, now }));
    },

    /**
     * Stores what full payloads add, in one batch, and returns the ids of the deliveries that have
     * it. Not stored is what shows an order that has changed since, because its customer may have
     * been erased. Reads orders of shared/orders.
     */
    async storeFullData(built: readonly BuiltFullData[]): Promise<ReadonlySet<string>> {
      const isCurrent = sql`(o.value ->> 'version' is null or exists (
        select 1 from orders as shown where shown.id = o.value ->> 'orderId'
          and shown.business_id = ${business.id} and shown.version = o.value ->> 'version'))`;
      const [first, ...others] = jsonChunks(built).map((chunk) =>
        db
          .update(webhookDeliveries)
          .set({ fullData: sql`o.value -> 'data'` })
          .from(sql`json_each(${chunk}) o`)
          .where(and(sql`${webhookDeliveries.id} = o.value ->> 'id'`, isStillLeased, isCurrent))
          .returning({ id: webhookDeliveries.id }),
      );
      if (!first) return new Set();
      const stored = await db.batch([first, ...others]);
      return new Set(stored.flat().map(({ id }) => id));
    },
  };
}

/** A full payload's data as it was built; `version` is null when the order does not exist. */
export type BuiltFullData = Readonly<{
  id: string;
  leaseUntil: number;
  orderId: string;
  version: number | null;
  data: FullData;
}>;

const exhaustedInARow = sql`(${webhookSubscriptions.consecutiveFailures} + exhausted)`;
const failedInARow = sql`(${webhookSubscriptions.failedAttempts} + failed)`;

/** `breakerHoldMs` as SQL. Five doublings exceed the longest hold, and more could overflow. */
const holdSql = sql`min(${receiverBreaker.longestHoldMs},
  ${receiverBreaker.shortestHoldMs} << min(${failedInARow} - ${receiverBreaker.opensAfter}, 5))`;

type ClaimRequest = Readonly<{ businessId: string; now: number; limit: number }>;

/**
 * SQL for the ids of the deliveries to claim. Each receiver gets a limited number, and the first
 * delivery of every receiver comes before any second one.
 */
const claimableIds = ({ businessId, now, limit }: ClaimRequest): SQL => sql`
  (select id from (
    select id, next_attempt_at, receiver, max_claims,
      row_number() over (partition by receiver order by is_first, next_attempt_at, id) as position
    from (
      ${dueDeliveries({ businessId, now, isFirst: 0, ids: dueRetries(now) })}
      union all ${dueDeliveries({ businessId, now, isFirst: 1, ids: nextFirstAttempts(now) })}))
  where position <= max_claims - (
    select count(*) from ${webhookDeliveries} claimed
    where claimed.subscription_id = receiver and claimed.lease_until > ${now})
  order by position, next_attempt_at, id limit ${limit})`;

/**
 * SQL for due deliveries: first attempts (`isFirst` is 1) or retries (0). `ids` selects a limited
 * number for the receiver s. A receiver whose circuit breaker is open gets no first attempts.
 */
const dueDeliveries = ({
  businessId,
  now,
  isFirst,
  ids,
}: Omit<ClaimRequest, "limit"> & Readonly<{ isFirst: 0 | 1; ids: SQL }>): SQL => sql`
  select d.id, d.next_attempt_at, s.id as receiver, ${isFirst} as is_first,
    case when s.failed_attempts > 0 then 1 else ${maxClaimsPerReceiver} end as max_claims
  from ${webhookSubscriptions} s cross join ${webhookDeliveries} d
  where s.business_id = ${businessId} and s.status = 'active' and s.deleted_at is null
    ${isFirst === 1 ? sql`and coalesce(s.held_until, 0) <= ${now}` : sql``}
    and d.id in ${ids}`;

const dueRetries = (now: number): SQL => sql`(
  select due.id from ${webhookDeliveries} due
  where due.subscription_id = s.id and due.first_attempt_at is not null
    and due.next_attempt_at <= ${now} and coalesce(due.lease_until, 0) <= ${now}
  order by due.next_attempt_at limit ${maxClaimsPerReceiver})`;

/**
 * SQL for the oldest first attempt of each subject, so that the events of an object arrive in order
 * (docs/contract/events.md#webhook-order). While a run sends it, the subject's later ones wait. A
 * subject's older deliveries are always among the oldest of the receiver, which are read first. For
 * a platform the subject is the order, because its webhooks show the whole order.
 */
const nextFirstAttempts = (now: number): SQL => sql`(
  select id from (
    select oldest.id, oldest.next_attempt_at, oldest.lease_until,
      row_number() over (
        partition by iif(s.platform_profile_url is null, event.subject_id, ${orderIdOf("event")})
        order by iif(s.platform_profile_url is null, event.sequence, oldest.position)) as place
    from (
      select due.rowid as position, due.id, due.event_id, due.next_attempt_at, due.lease_until
      from ${webhookDeliveries} due
      where due.subscription_id = s.id and due.first_attempt_at is null
        and due.next_attempt_at is not null
      order by due.rowid limit ${oldestFirstAttempts}) oldest
    join ${events} event on event.id = oldest.event_id)
  where place = 1 and next_attempt_at <= ${now} and coalesce(lease_until, 0) <= ${now}
  limit ${maxClaimsPerReceiver})`;

// In a batch, rows are objects by column name, so two columns must not have the same name.
const dueColumns = {
  id: webhookDeliveries.id,
  status: webhookDeliveries.status,
  attempts: webhookDeliveries.attempts,
  firstAttemptAt: webhookDeliveries.firstAttemptAt,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  fullData: webhookDeliveries.fullData,
  eventId: webhookDeliveries.eventId,
  subjectId: events.subjectId,
  type: events.type,
  data: events.data,
  createdAt: events.createdAt,
  sequence: events.sequence,
  isTest: events.isTest,
  subscriptionId: webhookDeliveries.subscriptionId,
  url: webhookSubscriptions.url,
  payload: webhookSubscriptions.payload,
  secretGeneration: webhookSubscriptions.secretGeneration,
  signingSecretId: webhookSubscriptions.signingSecretId,
  retiredSecrets: webhookSubscriptions.retiredSecrets,
  failedAttempts: webhookSubscriptions.failedAttempts,
  platformProfileUrl: webhookSubscriptions.platformProfileUrl,
  // Reads agent_orders of shared/orders.
  businessAddress: sql<string | null>`(select placed.business_address from agent_orders placed
    where ${webhookSubscriptions.platformProfileUrl} is not null
      and placed.order_id = ${orderIdOf("events")})`.as("business_address"),
};

type DueRow = Pick<DueDelivery, "id" | "status" | "attempts" | "firstAttemptAt" | "fullData"> &
  Omit<DueDelivery["event"], "id"> &
  Omit<DueDelivery["subscription"], "id" | "platform"> &
  Readonly<{ nextAttemptAt: number | null; eventId: string; subscriptionId: string }> &
  Readonly<{ platformProfileUrl: string | null; businessAddress: string | null }>;

const toPlatform = ({
  platformProfileUrl: profileUrl,
  businessAddress,
}: Pick<DueRow, "platformProfileUrl" | "businessAddress">): DeliveredPlatform | null =>
  profileUrl !== null && businessAddress !== null ? { profileUrl, businessAddress } : null;

const toDueDelivery = (
  { eventId, subjectId, sequence, type, data, createdAt, isTest, ...row }: DueRow,
  { leaseUntil, now }: { leaseUntil: number; now: number },
): DueDelivery => ({
  id: row.id,
  leaseUntil,
  status: row.status,
  attempts: row.attempts,
  firstAttemptAt: row.firstAttemptAt,
  nextAttemptAt: row.nextAttemptAt ?? now,
  event: { id: eventId, subjectId, sequence, type, data, createdAt, isTest },
  fullData: row.payload === "full" ? row.fullData : null,
  subscription: {
    id: row.subscriptionId,
    url: row.url,
    payload: row.payload,
    secretGeneration: row.secretGeneration,
    signingSecretId: row.signingSecretId,
    retiredSecrets: row.retiredSecrets,
    failedAttempts: row.failedAttempts,
    platform: toPlatform(row),
  },
});
