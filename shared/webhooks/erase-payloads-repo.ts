import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import { type Context, events, type Write } from "../database/index.ts";
import { webhookDeliveries } from "./tables.ts";

type ErasureContext = Pick<Context, "db" | "now"> &
  Readonly<{ business: Readonly<{ id: string }> }>;

/**
 * Removes the content of conversations' messages from their events, and sends none of these events
 * any more. Updates the table events of shared/database.
 *
 * @param conversations a conversation's id, or a query of ids in parentheses.
 */
export function eraseMessageEvents(
  { db, business, now }: ErasureContext,
  conversations: SQL | string,
): Write[] {
  const ids = typeof conversations === "string" ? sql`(${conversations})` : conversations;
  const isMessage = and(
    eq(events.businessId, business.id),
    eq(events.type, "support.message_created"),
    sql`${events.subjectId} in ${ids}`,
  );
  return [
    db
      .update(webhookDeliveries)
      .set({ status: "failed", nextAttemptAt: null, leaseUntil: null })
      .where(
        and(
          sql`${webhookDeliveries.eventId} in ${db.select({ id: events.id }).from(events).where(isMessage)}`,
          isNotNull(webhookDeliveries.nextAttemptAt),
        ),
      ),
    db
      .update(events)
      .set({
        data: sql`json_set(${events.data}, '$.content', null)`,
        dispatchedAt: sql`coalesce(${events.dispatchedAt}, ${now()})`,
      })
      .where(isMessage),
  ];
}

const noContact = JSON.stringify({ name: null, email: null, phone: null, delivery_address: null });

/**
 * Removes what full payloads hold of a customer: the contact, and the instructions of lines. Of the
 * orders that platforms receive it removes the destination and the tracking of parcels.
 *
 * @param orderIds a query of ids, in parentheses.
 */
export const eraseFullPayloads = (ctx: ErasureContext, orderIds: SQL): Write[] => [
  ctx.db
    .update(webhookDeliveries)
    .set({
      fullData: sql`json_set(${webhookDeliveries.fullData}, '$.contact', json(${noContact}), '$.lines', (
        select json_group_array(json_set(line.value, '$.special_instructions', null))
        from json_each(${webhookDeliveries.fullData}, '$.lines') as line))`,
    })
    .where(
      and(
        isDeliveryOf(ctx, orderIds),
        sql`${webhookDeliveries.fullData} ->> '$.contact' is not null`,
      ),
    ),
  ctx.db
    .update(webhookDeliveries)
    .set({
      fullData: sql`json_set(${webhookDeliveries.fullData}, '$.fulfillment.expectations', (
          select json_group_array(json_set(entry.value, '$.destination', json('{}')))
          from json_each(${webhookDeliveries.fullData}, '$.fulfillment.expectations') as entry),
        '$.fulfillment.events', (
          select json_group_array(json_remove(entry.value, '$.tracking_number', '$.tracking_url'))
          from json_each(${webhookDeliveries.fullData}, '$.fulfillment.events') as entry))`,
    })
    .where(
      and(
        isDeliveryOf(ctx, orderIds),
        sql`${webhookDeliveries.fullData} ->> '$.fulfillment' is not null`,
      ),
    ),
];

/** Matches the deliveries of the orders' events, and of their parcels'. Reads shipments of shared/shipments. */
const isDeliveryOf = ({ db, business }: ErasureContext, orderIds: SQL): SQL =>
  sql`${webhookDeliveries.eventId} in ${db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.businessId, business.id),
        sql`${events.subjectId} in (select * from ${orderIds} union all
          select parcel.id from shipments as parcel where parcel.order_id in ${orderIds})`,
      ),
    )}`;
