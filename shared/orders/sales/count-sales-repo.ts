import { sql } from "drizzle-orm";
import { soldGoodsWrites } from "../../catalogue/index.ts";
import { type Db, unfenced } from "../../database/index.ts";
import { orderLines, orders } from "../tables.ts";

/** Of a large order its first lines alone make pairs: their number grows with the square. */
const linesOfPairs = 10;

/**
 * Counts what orders sold, for sort_by=popularity and the recommendations (completions.md 11): once for
 * each order, from when it is confirmed. The counts and the mark on the orders are one batch, so that
 * it counts whole or not at all, whoever else counts. What is cancelled later was wanted all the same.
 *
 * @returns how many orders were counted; as many as `limit`: there may be more.
 */
export async function countSales(
  db: Db,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  // As the condition of the partial index is written; the same orders in each statement of the batch.
  const due = sql`select ${orders.id} from ${orders}
    where counted_at is null and status not in ('pending', 'cancelled')
      and ${unfenced(orders.businessId)}
    order by ${orders.createdAt} limit ${limit}`;
  const [, , counted] = await db.batch([
    ...soldGoodsWrites(db, {
      pieces: sql`select line.product_id, sum(line.quantity) as pieces from ${orderLines} as line
        where line.order_id in (${due}) group by line.product_id`,
      pairs: sql`with bought as materialized (
          select distinct line.order_id, line.business_id, line.product_id from ${orderLines} as line
          where line.order_id in (${due}) and line.position < ${linesOfPairs})
        select one.business_id, one.product_id, other.product_id as other_id, count(*) as orders
        from bought as one join bought as other
          on other.order_id = one.order_id and other.product_id <> one.product_id
        group by one.business_id, one.product_id, other.product_id`,
    }),
    db
      .update(orders)
      .set({ countedAt: now })
      .where(sql`${orders.id} in (${due})`)
      .returning({ id: orders.id }),
  ]);
  return counted.length;
}
