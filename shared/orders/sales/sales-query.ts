import { sql } from "drizzle-orm";
import { type BatchedRead, batchedRead, type Context } from "../../database/index.ts";
import { orderLines, orders } from "../tables.ts";
import type { SalesPeriod } from "./periods.ts";
import { proportion, refundedMinor, soldInPeriod, soldOrders } from "./sold-orders-query.ts";

/** The sales of one period. The revenue is in minor units, after refunds. */
export type PeriodSales = Readonly<{ orders: number; revenueMinor: number }>;

export type ProductSales = Readonly<{
  productId: string;
  productName: string;
  /** Sold units, the refunded ones included. */
  quantity: number;
  /** Minor units after discounts and refunds. Tax that is added on top of prices is left out. */
  revenueMinor: number;
}>;

export type Sales = Readonly<{
  /** One entry per requested period, in the same order. */
  periods: readonly PeriodSales[];
  topProducts: readonly ProductSales[];
}>;

const maxTopProducts = 10;

/** SQL for the part of the order's discounts that a line gets. `shares` follow the lines' order. */
const lineDiscount = sql`coalesce((
  select sum(discount.value ->> ('$.shares[' || line.position || ']'))
  from json_each(sold_orders.discounts) as discount), 0)`;

/**
 * SQL for the sales of products: each line's price less its discounts and its exempted tax, and less
 * its share of what was refunded of the order's items. The shares are in proportion to these prices;
 * units left by rounding go to the largest remainders, of equal ones to the earlier line.
 */
const productSales = (() => {
  const { quotient, remainder } = proportion({
    amount: sql`items_refund_minor`,
    weight: sql`net_minor`,
    total: sql`items_minor`,
  });
  return sql`lines as materialized (
      select line.order_id, line.position, line.product_id, line.product_name, line.quantity,
        line.quantity * line.unit_price_minor - ${lineDiscount} - line.exempted_tax_minor as net_minor,
        sold_orders.items_minor, sold_orders.items_refund_minor
      from sold_orders cross join ${orderLines} as line on line.order_id = sold_orders.id),
    refund_shares as materialized (
      select order_id, position, product_id, items_refund_minor,
        ${quotient} as share_minor, ${remainder} as remainder
      from lines where items_refund_minor > 0),
    refunded_lines as (
      select product_id, share_minor + (items_refund_minor - sum(share_minor) over (partition by order_id)
        >= row_number() over (partition by order_id order by remainder desc, position)) as refund_minor
      from refund_shares),
    product_sales as (
      select product_id, product_name, quantity, net_minor as revenue_minor from lines
      union all
      select product_id, null, 0, -refund_minor from refunded_lines)`;
})();

/** A query for the sales of each period. */
const periodSums = (
  { db, business }: Pick<Context, "db" | "business">,
  periods: readonly SalesPeriod[],
) =>
  db
    .select({ orders: sql<number>`sums.orders`, revenueMinor: sql<number>`sums.revenue` })
    .from(
      sql`(select period.key as position, count(sold.id) as orders,
          coalesce(sum(sold.total_price_minor - ${refundedMinor}), 0) as revenue
        from json_each(${JSON.stringify(periods)}) as period
        left join ${orders} as sold on ${soldInPeriod({ businessId: business.id })}
        group by period.key) as sums`,
    )
    .orderBy(sql`sums.position`);

/** Reads the sales of each period, in the same order. */
export const periodSalesRead = (
  ctx: Pick<Context, "db" | "business">,
  periods: readonly SalesPeriod[],
): BatchedRead<readonly PeriodSales[]> => batchedRead([periodSums(ctx, periods)], ([rows]) => rows);

/** Sums up what a business sold, in one round trip. */
export const salesQuery = ({ db, business }: Pick<Context, "db" | "business">) => ({
  /** @param periods consecutive periods without gaps. */
  async sum(periods: readonly SalesPeriod[]): Promise<Sales> {
    const [first, last] = [periods[0], periods.at(-1)];
    if (!first || !last) return { periods: [], topProducts: [] };
    const range = { start: first.start, end: last.end };
    const products = sql`(with ${soldOrders({ businessId: business.id, periods: [range] })}, ${productSales}
      select product_id, max(product_name) as product_name, sum(quantity) as quantity,
        sum(revenue_minor) as revenue
      from product_sales group by product_id
      order by revenue desc, product_id limit ${maxTopProducts}) as products`;
    const [summed, sold] = await db.batch([
      periodSums({ db, business }, periods),
      db
        .select({
          productId: sql<string>`products.product_id`,
          productName: sql<string>`products.product_name`,
          quantity: sql<number>`products.quantity`,
          revenueMinor: sql<number>`products.revenue`,
        })
        .from(products)
        .orderBy(sql`products.revenue desc, products.product_id`),
    ]);
    return { periods: summed, topProducts: sold };
  },
});
