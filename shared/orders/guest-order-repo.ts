import { type SQL, sql } from "drizzle-orm";
import { type Contact, type CustomerIdQuery, customerRepo } from "../customers/index.ts";
import { type Context, isRowOfBusiness, recordRowEvents, type Write } from "../database/index.ts";
import { assignRedemptions } from "../deals/index.ts";
import { exponentOf } from "../kernel/index.ts";
import { bookingRepo } from "../scheduling/index.ts";
import { orderHistory, orderLines, orders } from "./tables.ts";

/** A login takes over at most this many orders, so that its batch stays small; the next login takes the rest. */
const maxOrdersPerLogin = 5_000;

/** The orders without a customer that have a contact of a person, who has just verified it. */
export function guestOrderRepo(
  ctx: Pick<Context, "db" | "business" | "newId" | "now">,
  { type, value }: Contact,
) {
  const { db, business, now } = ctx;
  const contact = sql.raw(type === "phone" ? "customer_phone" : "customer_email");
  /** Every statement of a batch selects the same orders until `assign` gives them their customer. */
  const ids = sql`(select guest.id from ${orders} as guest
    where guest.business_id = ${business.id} and guest.customer_id is null and guest.${contact} = ${value}
    order by guest.rowid limit ${maxOrdersPerLogin})`;

  /** The newest value that one of the orders has for the customer's record. */
  const newestDetail = (column: "name" | "email" | "phone", condition: SQL): SQL =>
    sql`(select saved.${sql.raw(`customer_${column}`)} from ${orders} as saved
      where saved.id in ${ids} and saved.saves_details = 1 and ${condition}
        and saved.${sql.raw(`customer_${column}`)} is not null
      order by saved.created_at desc, saved.id desc limit 1)`;

  return {
    /**
     * A write that fills in what the customer's record lacks, from orders that ask for it. A contact
     * comes only from the session that logs in: another session's may be another person's.
     */
    saveDetails(customer: CustomerIdQuery, sessionId: string | null): Write {
      const isOfSession = sql`saved.session_id = ${sessionId}`;
      const details = {
        name: newestDetail("name", sql`true`),
        email: newestDetail("email", isOfSession),
        phone: newestDetail("phone", isOfSession),
      };
      return customerRepo(ctx).fillMissingDetails(customer, details, now());
    },

    /**
     * Writes that assign the orders and their bookings to the customer, with an event each. The last
     * one returns the ids. An order's version is raised, so that a concurrent change of it fails and
     * reads it again.
     */
    assignAll: (customer: CustomerIdQuery): Write[] => [
      db.insert(orderHistory).select(sql`
        select id, version + 1, status, payment_status, 'customer', ${now()}, null
        from ${orders} where id in ${ids}`),
      recordRowEvents(ctx, { type: "order.updated", rows: snapshotQuery(customer) }),
      bookingRepo(ctx).assignAllOf(ids, customer),
      assignRedemptions(ctx, ids, customer),
      db
        .update(orders)
        .set({ customerId: customer, version: sql`${orders.version} + 1`, updatedAt: now() })
        .where(sql`${orders.id} in ${ids} and ${isRowOfBusiness(orders.businessId, business)}`)
        .returning({ id: orders.id }),
    ],
  };

  /** The data of `orderEvent` for each of the orders, with their new customer. */
  function snapshotQuery(customer: CustomerIdQuery): SQL {
    return sql`(select o.id as subject_id, json_object('id', o.id, 'order_id', o.id,
        'order_number', o.order_number, 'status', o.status,
        'total_price', ${moneyText(sql`o.total_price_minor`, business.currency)}, 'currency', o.currency,
        'customer_id', ${customer}, 'item_count', (select coalesce(sum(line.quantity), 0)
          from ${orderLines} as line where line.order_id = o.id)) as data
      from ${orders} as o where o.id in ${ids})`;
  }
}

/** SQL for a non-negative amount as a decimal string, as `formatMoney` writes it. */
function moneyText(minor: SQL, currency: string): SQL {
  const exponent = exponentOf(currency);
  const unit = 10 ** exponent;
  return exponent === 0
    ? sql`format('%d', ${minor})`
    : sql`format('%d.%0*d', ${minor} / ${unit}, ${exponent}, ${minor} % ${unit})`;
}
