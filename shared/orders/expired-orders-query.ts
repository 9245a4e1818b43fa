import { type SQL, sql } from "drizzle-orm";
import { type Db, type DueRows, isUnfenced } from "../database/index.ts";
import { minute } from "../kernel/index.ts";
import { type OrderDetails, orderDetailsQueries, toOrderRecords } from "./order-details-query.ts";
import { orders } from "./tables.ts";

/**
 * An expired order that a run of the job has claimed. Other runs skip the order until
 * `claimedUntil`.
 */
export type ExpiredOrder = Readonly<{
  id: string;
  businessId: string;
  claimedUntil: number | null;
  bytes: number;
}>;

const expiryLeaseMs = minute;

/** About the bytes of an order with its lines, most of which are what the lines were configured with. */
const bytesOfOrder = (order: SQL): SQL<number> => sql`(2000
  + octet_length(${order}.metadata) + octet_length(${order}.discounts)
  + coalesce(octet_length(${order}.address_info), 0)
  + (select coalesce(sum(1000 + octet_length(line.add_on_option_ids) + octet_length(line.price_parts)
      + coalesce(octet_length(line.choices), 0) + coalesce(octet_length(line.details), 0)), 0)
    from order_lines as line where line.order_id = ${order}.id))`;

/** The orders that `claimExpiredOrders` claims. */
export const expiredOrders: DueRows = {
  table: orders,
  since: orders.expiresAt,
  businessId: orders.businessId,
};

/**
 * Claims a shard's expired unpaid orders, longest overdue first. Each order's expiry moves one
 * minute ahead, so that an order that cannot be cancelled now is tried again later and does not
 * block other orders. Claims no order after those that have `maxBytes` together.
 */
export const claimExpiredOrders = (
  db: Db,
  { now, limit, maxBytes }: { now: number; limit: number; maxBytes: number },
): Promise<ExpiredOrder[]> =>
  db
    .update(orders)
    .set({ expiresAt: now + expiryLeaseMs, missingProvider: null })
    .where(
      sql`${orders.id} in (
        select id from (
          select id, sum(bytes) over (order by expires_at, id) - bytes as bytes_before from (
            select due.id, due.expires_at, ${bytesOfOrder(sql`due`)} as bytes from orders as due
            where due.expires_at is not null and due.expires_at <= ${now}
              and ${isUnfenced(sql`due.business_id`)}
            order by due.expires_at, due.id limit ${limit}))
        where bytes_before < ${maxBytes})`,
    )
    .returning({
      id: orders.id,
      businessId: orders.businessId,
      claimedUntil: orders.expiresAt,
      bytes: bytesOfOrder(sql`orders`),
    });

/** Loads claimed orders of a shard's businesses by id, in one round trip. */
export async function loadExpiredOrders(
  db: Db,
  claimed: readonly ExpiredOrder[],
): Promise<ReadonlyMap<string, OrderDetails>> {
  const ids = JSON.stringify(claimed.map(({ id }) => id));
  const rows = await db.batch(
    orderDetailsQueries({ db, business: null }, sql`(select value from json_each(${ids}))`),
  );
  return new Map(toOrderRecords(rows).map(({ details }) => [details.order.id, details]));
}
