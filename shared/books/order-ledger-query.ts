import { sql } from "drizzle-orm";
import { day } from "../kernel/index.ts";
import type { BooksCheck, Ledger } from "./books-check-query.ts";

/** An imported order was placed elsewhere: it has no event, and the id of its session is its own. */
const importedSession = sql`'ses_' || substr(o.id, 5)`;

/** Events are deleted 32 days after their deliveries were created. */
const eventsKeptMs = 30 * day;

const isSettled = sql`p.status in ('captured', 'partially_refunded', 'refunded')`;

/**
 * What an order's rows of several tables say about each other. Reads orders, order_lines of orders,
 * payments, refunds, sandbox_charges of payments, stock_reservations, stock_movements of inventory,
 * bookings, slot_claims of scheduling and events of database.
 */
const checks: readonly BooksCheck[] = [
  {
    // Reads order_lines of orders.
    name: "order_subtotal",
    violations: () => sql`select o.id as record, o.subtotal_minor as expected,
        (select sum(l.quantity * l.unit_price_minor) from order_lines as l where l.order_id = o.id)
          as found
      from page as o where found is not expected`,
  },
  {
    // The tax is added to the prices or is part of them. A customer who pays none gets the part back;
    // lines say how much, while that of the delivery is only known not to exceed its price.
    // Reads order_lines of orders.
    name: "order_total",
    violations: () => sql`select o.id as record,
        o.subtotal_minor - o.discount_total_minor + o.delivery_total_minor
          - (select coalesce(sum(l.exempted_tax_minor), 0) from order_lines as l
            where l.order_id = o.id) as expected,
        o.total_price_minor as found
      from page as o where found not in (expected, expected + o.tax_total_minor)
        and not (o.tax ->> 'isInclusive' and o.tax_total_minor = 0
          and found between expected - o.delivery_total_minor and expected)`,
  },
  {
    // Reads payments of payments.
    name: "order_payment",
    violations: () => sql`select o.id as record, '1 ' || o.payment_status as expected,
        (select count(*) || ' ' || min(p.status) from payments as p
          where p.order_id = o.id and p.business_id = o.business_id) as found
      from page as o where found is not expected`,
  },
  {
    // Reads payments of payments.
    name: "payment_amount",
    violations: () => sql`select o.id as record, o.total_price_minor as expected,
        p.amount_minor as found
      from page as o join payments as p on p.order_id = o.id
      where p.currency = o.currency and found <> expected`,
  },
  {
    // A live payment is compared by the daily reconciliation instead.
    // Reads payments, sandbox_charges of payments.
    name: "captured_charge",
    violations: () => sql`select o.id as record, p.amount_minor as expected,
        (select max(c.amount_minor) from sandbox_charges as c where c.order_id = o.id
          and c.currency = p.currency and c.status in ('captured', 'refunded')) as found
      from page as o join payments as p on p.order_id = o.id
      where ${isSettled} and p.provider = 'sandbox' and p.receipt is null and p.amount_minor > 0
        and found is not expected`,
  },
  {
    // Reads sandbox_charges, refunds of payments.
    name: "charged_once",
    violations: () => sql`select o.id as record, 1 as expected,
        (select count(*) from sandbox_charges as c where c.order_id = o.id and c.status = 'captured'
          and not exists (select 1 from refunds as r where r.reference = c.reference)) as found
      from page as o where found > expected`,
  },
  {
    // Reads refunds, payments of payments.
    name: "refunds",
    violations: () => sql`select o.id as record,
        case when refunded = 0 then 'captured' when refunded = p.amount_minor then 'refunded'
          else 'partially_refunded' end as expected,
        p.status as found
      from (select o.id, (select coalesce(sum(r.amount_minor), 0) from refunds as r
          where r.order_id = o.id and r.reference is null and r.status = 'refunded') as refunded
        from page as o) as o join payments as p on p.order_id = o.id
      where ${isSettled} and p.amount_minor > 0 and (found <> expected or refunded > p.amount_minor)`,
  },
  {
    // Reads events of database.
    name: "order_event",
    violations: ({ now }) => sql`select o.id as record, 1 as expected,
        (select count(*) from events as e where e.business_id = o.business_id
          and e.subject_id = o.id and e.type = 'order.created' and e.is_test = 0) as found
      from page as o where o.created_at > ${now - eventsKeptMs} and found <> expected
        and o.session_id <> ${importedSession}`,
  },
  {
    // Reads stock_movements, stock_reservations of inventory.
    name: "reserved_stock",
    violations: () => sql`select o.id as record,
        (select coalesce(sum(m.reserved_delta), 0) from stock_movements as m
          where m.order_id = o.id and m.business_id = o.business_id) as expected,
        (select coalesce(sum(r.quantity), 0) from stock_reservations as r
          where r.order_id = o.id and r.business_id = o.business_id) as found
      from page as o
      where found <> expected or found > 0 and o.status in ('completed', 'cancelled')`,
  },
  {
    // Reads bookings, slot_claims of scheduling.
    name: "booked_slot",
    violations: () => sql`select b.id as record,
        iif(b.status = 'cancelled', null, b.start_time || ' ' || b.end_time) as expected,
        (select s.starts_at || ' ' || s.ends_at from slot_claims as s
          where s.id = b.id and s.order_id = o.id) as found
      from page as o join bookings as b on b.order_id = o.id and b.business_id = o.business_id
      where b.status in ('pending', 'confirmed', 'cancelled') and found is not expected
        or b.status in ('pending', 'confirmed') and o.status = 'cancelled'`,
  },
];

/** All orders of a business, by number. */
export const orderLedger: Ledger = {
  name: "orders",
  /** Reads the table orders of orders. */
  page: ({ businessId, after, limit }) => sql`select orders.*, order_number as first, id as second
    from orders where business_id = ${businessId} and order_number > ${after?.[0] ?? ""}
    order by order_number limit ${limit}`,
  checks,
};
