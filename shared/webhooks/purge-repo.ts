import { sql } from "drizzle-orm";
import { type Db, events, isUnfenced, type Write } from "../database/index.ts";
import { day } from "../kernel/index.ts";
import { endedAt, webhookDeliveries } from "./tables.ts";

/** How long an ended delivery can be read and retried. */
const deliveryRetentionMs = 30 * day;
/** Later than the deliveries, so that the deliveries of most scanned events are gone. */
const eventRetentionMs = deliveryRetentionMs + 2 * day;
const maxPurgedRows = 5_000;

/**
 * Deletes a batch of a shard's deliveries that ended 30 days ago, and of events older than 32 days
 * that have no delivery left. Pending deliveries are kept. Deletes events of database.
 */
export const purgeWebhookDeliveries = (db: Db, now: number): readonly [Write, Write] => [
  db.delete(webhookDeliveries).where(
    sql`id in (select id from webhook_deliveries as ended
      where next_attempt_at is null and ${endedAt} <= ${now - deliveryRetentionMs}
        and ${isUnfenced(sql`ended.business_id`)}
      order by ${endedAt} limit ${maxPurgedRows})`,
  ),
  // The limit is on scanned events, so old events with deliveries delay the purge of younger ones.
  db.delete(events).where(
    sql`id in (select old.id from (
        select id, business_id from events
        where dispatched_at is not null and dispatched_at <= ${now - eventRetentionMs}
        order by dispatched_at limit ${maxPurgedRows}) as old
      where ${isUnfenced(sql`old.business_id`)}
        and not exists (select 1 from webhook_deliveries as kept where kept.event_id = old.id))`,
  ),
];
