import { sql } from "drizzle-orm";
import { type Db, events, unfenced, type Write } from "../database/index.ts";
import { day } from "../kernel/index.ts";
import { endedAt, webhookDeliveries } from "./tables.ts";

/** How long a delivery can be read of, and asked for again, once it has ended. */
const keptMs = 30 * day;
/** Later than the deliveries of an event that met no trouble, so that few are looked at in vain. */
const eventsKeptMs = keptMs + 2 * day;
const purgedAtOnce = 5_000;

/**
 * Deletes some of a shard's deliveries that ended 30 days ago, and some of the events of which, after
 * 32 days, no delivery is left; for cron, which comes again for the rest. What still waits is not touched.
 */
export const purgeWebhooks = (db: Db, now: number): readonly [Write, Write] => [
  db.delete(webhookDeliveries).where(
    sql`id in (select id from webhook_deliveries as ended
      where next_attempt_at is null and ${endedAt} <= ${now - keptMs}
        and ${unfenced(sql`ended.business_id`)}
      order by ${endedAt} limit ${purgedAtOnce})`,
  ),
  // The limit is on what is looked at: events whose deliveries take longer hold up younger ones, for as long.
  db.delete(events).where(
    sql`id in (select old.id from (
        select id, business_id from events
        where dispatched_at is not null and dispatched_at <= ${now - eventsKeptMs}
        order by dispatched_at limit ${purgedAtOnce}) as old
      where ${unfenced(sql`old.business_id`)}
        and not exists (select 1 from webhook_deliveries as kept where kept.event_id = old.id))`,
  ),
];
