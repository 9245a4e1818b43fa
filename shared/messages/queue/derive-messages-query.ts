import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db } from "../../database/index.ts";
import { idForRank } from "../../database/index.ts";
import { hour } from "../../kernel/index.ts";
import type { Channel } from "../../messaging/index.ts";
import { defaultMessageSettings, supportReplyDelayMs } from "../settings.ts";
import { messageSettings, messages } from "../tables.ts";

/** SQL for the settings of a business, with the defaults for one that has changed none. */
const setting = (column: "reminder_hours" | "sms", businessId: string): SQL => {
  const standard =
    column === "sms" ? defaultMessageSettings.sms : defaultMessageSettings.reminderHours;
  return sql`coalesce((select ${sql.raw(column)} from ${messageSettings}
    where business_id = ${businessId}), ${standard})`;
};

type Derivation = Readonly<{
  businessId: string;
  /** A query of event ids. */
  eventIds: SQLWrapper;
  /** A message id without its last three characters, which number the rows. */
  idStem: string;
  now: number;
  /** The channels that have a provider. */
  channels: readonly Channel[];
}>;

/**
 * A write that queues the messages of events, for the batch that marks the events as dispatched: so
 * each event makes its messages once. Returns a row for each message that it queued. Reads the
 * tables events of shared/database, orders of shared/orders, customers of shared/customers and
 * subscription_invoices of shared/subscriptions.
 */
export const queueMessagesOfEvents = (db: Db, derivation: Derivation) =>
  db
    .insert(messages)
    .select(messageRows(derivation))
    .onConflictDoNothing()
    .returning({ id: messages.id });

/** SQL for the rows to insert, with the columns in the order of the table. */
const messageRows = ({ businessId, eventIds, idStem, now, channels }: Derivation): SQL => sql`
  select ${idForRank(idStem)}, ${businessId}, name, channel, recipient, source_id, event_id,
    subject_id, order_id, customer_id, 'queued', 0, null, max(due_at, ${now}), null, null, null,
    ${now}, null, null, null
  from (
    select due.*, via.value as channel,
      case via.value when 'email' then due.email else due.phone end as recipient,
      row_number() over (order by due.place, via.value) - 1 as rank
    from (
      ${ofOrders({ businessId, eventIds, now })}
      union all ${reminders({ businessId, eventIds, now })}
      union all ${supportReplies({ businessId, eventIds })}
    ) as due
    cross join json_each(${JSON.stringify(channels)}) as via
    where case via.value when 'email' then due.email is not null
      else due.phone is not null and (due.sms = 'always'
        or due.sms = 'without_email' and due.email is null) end)
  where true`;

type Source = Readonly<{ businessId: string; eventIds: SQLWrapper; now: number }>;

/** Events with the names of the messages that they make. Reads events of database. */
const namedEvents = (eventIds: SQLWrapper): SQL => sql`
    select e.rowid, e.id, e.subject_id,
      coalesce(e.data ->> 'order_id', e.subject_id) as order_id,
      case when e.type like 'shipment.%' then e.subject_id else e.id end as source_id,
      case e.type
        when 'order.created' then 'order.confirmation'
        when 'order.cancelled' then 'order.cancelled'
        when 'payment.completed' then 'order.receipt'
        when 'payment.failed' then 'payment.failed'
        when 'payment.refunded' then 'refund.issued'
        when 'booking.created' then 'booking.confirmation'
        when 'booking.rescheduled' then 'booking.moved'
        when 'booking.cancelled' then 'booking.cancelled'
        else case when not e.data ->> 'notify' then null
          when e.data ->> 'status' in ('shipped', 'in_transit') then 'shipment.shipped'
          when e.data ->> 'status' = 'delivered' then 'shipment.delivered' end
      end as name
    from events e
    where e.id in ${eventIds} and (e.type in (
      'order.created', 'order.cancelled', 'payment.completed', 'payment.failed',
      'payment.refunded', 'shipment.created', 'shipment.updated')
      or e.type like 'booking.%')`;

/**
 * Messages to the contacts of an order. A shipment makes one message when it leaves and one when it
 * arrives, however often it changes. The failed payment of a renewal has a message of its own. Reads
 * events of database, orders of shared/orders and subscription_invoices of shared/subscriptions.
 */
const ofOrders = ({ businessId, eventIds, now }: Source): SQL => sql`
  select named.rowid as place, named.name, named.source_id, named.id as event_id, named.subject_id,
    named.order_id, buyer.customer_id, buyer.customer_email as email,
    buyer.customer_phone as phone, ${setting("sms", businessId)} as sms, ${now} as due_at
  from (${namedEvents(eventIds)}) as named
  join orders as buyer on buyer.id = named.order_id and +buyer.business_id = ${businessId}
  where named.name is not null and not (named.name = 'payment.failed' and exists (
    select 1 from subscription_invoices as invoice
    where invoice.order_id = named.order_id and invoice.cycle > 1))`;

/**
 * The reminder of a booking waits until it is due, and is dropped then when the booking was moved or
 * cancelled meanwhile. A booking that starts sooner than that has only its confirmation. Reads events
 * of database and orders of shared/orders.
 */
const reminders = ({ businessId, eventIds, now }: Source): SQL => sql`
  select * from (
    select e.rowid as place, 'booking.reminder' as name,
      e.subject_id || ' ' || (e.data ->> 'start_time') as source_id, e.id as event_id,
      e.subject_id, buyer.id as order_id, buyer.customer_id, buyer.customer_email as email,
      buyer.customer_phone as phone, ${setting("sms", businessId)} as sms,
      ${startOf(sql`e.data ->> 'start_time'`)}
        - ${hour} * nullif(${setting("reminder_hours", businessId)}, 0) as due_at
    from events e
    join orders as buyer on buyer.id = e.data ->> 'order_id' and +buyer.business_id = ${businessId}
    where e.id in ${eventIds} and e.type in ('booking.created', 'booking.rescheduled'))
  where due_at > ${now}`;

/** The milliseconds of an ISO time; SQLite's own functions count in seconds. */
const startOf = (time: SQL): SQL => sql`(cast(strftime('%s', ${time}) as integer) * 1000)`;

/**
 * An agent's message waits until it is clear that the shopper has not come back to read it. Reads
 * events of database and customers of shared/customers.
 */
const supportReplies = ({ businessId, eventIds }: Omit<Source, "now">): SQL => sql`
  select e.rowid as place, 'support.reply' as name, e.id as source_id, e.id as event_id,
    e.subject_id, null as order_id, asker.id as customer_id, asker.email, null as phone,
    'never' as sms, e.created_at + ${supportReplyDelayMs} as due_at
  from events e
  join customers as asker on asker.id = e.data ->> 'customer_id'
    and +asker.business_id = ${businessId}
  where e.id in ${eventIds} and e.type = 'support.message_created'
    and e.data ->> 'sender_type' = 'agent'`;
