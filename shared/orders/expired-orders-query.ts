import { sql } from "drizzle-orm";
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
}>;

const expiryLeaseMs = minute;

/** The orders that `claimExpiredOrders` claims. */
export const expiredOrders: DueRows = {
  table: orders,
  since: orders.expiresAt,
  businessId: orders.businessId,
};

/**
 * Claims a shard's expired unpaid orders, longest overdue first. Each order's expiry moves one
 * minute ahead, so that an order that cannot be cancelled now is tried again later and does not
 * block other orders.
 */
export const claimExpiredOrders = (
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<ExpiredOrder[]> =>
  db
    .update(orders)
    .set({ expiresAt: now + expiryLeaseMs, missingProvider: null })
    .where(
      sql`${orders.id} in (select due.id from orders as due
        where due.expires_at is not null and due.expires_at <= ${now}
          and ${isUnfenced(sql`due.business_id`)}
        order by due.expires_at limit ${limit})`,
    )
    .returning({ id: orders.id, businessId: orders.businessId, claimedUntil: orders.expiresAt });

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
