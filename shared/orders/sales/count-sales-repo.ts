import { sql } from "drizzle-orm";
import { productPopularity } from "../../catalogue/index.ts";
import { type Db, type DueRows, isUnfenced } from "../../database/index.ts";
import { orderLines, orders } from "../tables.ts";

/**
 * Pairs of products bought together are counted only among an order's first lines, because the
 * number of pairs grows with the square of the lines.
 */
const maxLinesForPairs = 10;

// Must match the partial index `orders_uncounted`.
const isUncounted = sql`counted_at is null and status not in ('pending', 'cancelled')`;

/** The orders that `countSales` counts. */
export const uncountedOrders: DueRows = {
  table: orders,
  since: orders.createdAt,
  condition: isUncounted,
  businessId: orders.businessId,
};

/**
 * Counts sold quantities and products bought together, for sort_by=popularity and recommendations.
 * Each confirmed order counts once, even if it is cancelled later. One batch adds the counts and
 * marks the orders as counted.
 *
 * @returns the number of counted orders; `limit` means that there may be more.
 */
export async function countSales(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  // The subquery selects the same orders in each statement of the batch.
  const due = sql`select ${orders.id} from ${orders}
    where ${isUncounted} and ${isUnfenced(orders.businessId)}
    order by ${orders.createdAt} limit ${limit}`;
  const [, , counted] = await db.batch([
    ...productPopularity.popularityWrites(db, {
      quantities: sql`select line.product_id, sum(line.quantity) as quantity from ${orderLines} as line
        where line.order_id in (${due}) group by line.product_id`,
      pairs: sql`with bought as materialized (
          select distinct line.order_id, line.business_id, line.product_id from ${orderLines} as line
          where line.order_id in (${due}) and line.position < ${maxLinesForPairs})
        select item.business_id, item.product_id, companion.product_id as other_id, count(*) as orders
        from bought as item join bought as companion
          on companion.order_id = item.order_id and companion.product_id <> item.product_id
        group by item.business_id, item.product_id, companion.product_id`,
    }),
    db
      .update(orders)
      .set({ countedAt: now })
      .where(sql`${orders.id} in (${due})`)
      .returning({ id: orders.id }),
  ]);
  return counted.length;
}
