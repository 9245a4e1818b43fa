import { type SQL, sql } from "drizzle-orm";
import {
  type Db,
  type DueRows,
  eventSequences,
  events,
  isUnfenced,
  type Write,
} from "../database/index.ts";
import { day } from "../kernel/index.ts";
import { endedAt, webhookDeliveries } from "./tables.ts";

/** How long a delivery can be read and retried after its last attempt. */
const deliveryRetentionMs = 30 * day;
/** Events stay longer than deliveries, because an event cannot be deleted before its deliveries. */
const eventRetentionMs = deliveryRetentionMs + 2 * day;
const maxPurgedRows = 5_000;

/** The deliveries and events that `purgeWebhookDeliveries` deletes. */
export const endedWebhooks: readonly DueRows[] = [
  {
    table: webhookDeliveries,
    since: endedAt,
    afterMs: deliveryRetentionMs,
    condition: sql`next_attempt_at is null`,
    businessId: webhookDeliveries.businessId,
  },
  {
    table: events,
    since: events.dispatchedAt,
    afterMs: eventRetentionMs,
    condition: sql`dispatched_at is not null
      and not exists (select 1 from webhook_deliveries as kept where kept.event_id = events.id)`,
    businessId: events.businessId,
  },
];

/**
 * Deletes a batch of a shard's deliveries whose last attempt was 30 days ago, and a batch of events
 * older than 32 days that have no deliveries. Deliveries with a next attempt are kept, and so is the
 * last sequence of each subject. Writes the tables events and event_sequences of shared/database.
 */
export const purgeWebhookDeliveries = (db: Db, now: number): readonly [Write, Write, Write] => [
  db.delete(webhookDeliveries).where(
    sql`id in (select id from webhook_deliveries as ended
      where next_attempt_at is null and ${endedAt} <= ${now - deliveryRetentionMs}
        and ${isUnfenced(sql`ended.business_id`)}
      order by ${endedAt} limit ${maxPurgedRows})`,
  ),
  db
    .insert(eventSequences)
    .select(
      sql`select business_id, subject_id, max(sequence) from events
        where id in ${oldEvents(now)} group by business_id, subject_id`,
    )
    .onConflictDoUpdate({
      target: [eventSequences.businessId, eventSequences.subjectId],
      set: { lastSequence: sql`max(${eventSequences.lastSequence}, excluded.last_sequence)` },
    }),
  db.delete(events).where(sql`id in ${oldEvents(now)}`),
];

/**
 * SQL for the ids of old events without deliveries. The limit counts all old events: those that
 * still have deliveries can delay the purge of others. Reads the table events of shared/database.
 */
const oldEvents = (now: number): SQL => sql`(select old.id from (
    select id, business_id from events
    where dispatched_at is not null and dispatched_at <= ${now - eventRetentionMs}
    order by dispatched_at limit ${maxPurgedRows}) as old
  where ${isUnfenced(sql`old.business_id`)}
    and not exists (select 1 from webhook_deliveries as kept where kept.event_id = old.id))`;
