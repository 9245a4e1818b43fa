import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { orderLines, orders } from "../tables.ts";
import type { SalesPeriod } from "./periods.ts";

/** The sales of one period. The revenue is in minor units, after refunds. */
export type PeriodSales = Readonly<{ orders: number; revenueMinor: number }>;

export type ProductSales = Readonly<{
  productId: string;
  productName: string;
  quantity: number;
  /** In minor units, before discounts and taxes. */
  revenueMinor: number;
}>;

export type Sales = Readonly<{
  /** One entry per requested period, in the same order. */
  periods: readonly PeriodSales[];
  topProducts: readonly ProductSales[];
}>;

const maxTopProducts = 10;

/**
 * SQL for the refunded amount of an order with the alias `sold`, in the order's currency. A payment
 * in another currency is converted by the refunded share of the order's total. Reads the table
 * refunds of shared/payments; refunds of duplicate charges do not count.
 */
const refundedMinor = (() => {
  const refunded = sql`sum(refund.amount_minor)`;
  const paid = sql`max(refund.paid_minor)`;
  const share = sql`(sold.total_price_minor * ${refunded})`;
  const doubledRemainder = sql`(2 * (${share} % ${paid}))`;
  const rounded = sql`(${share} / ${paid}
    + (${doubledRemainder} > ${paid} or (${doubledRemainder} = ${paid} and ${share} / ${paid} % 2 = 1)))`;
  return sql`(select case
      when count(*) = 0 then 0
      when max(refund.currency) = sold.currency then ${refunded}
      when ${refunded} = ${paid} then sold.total_price_minor
      else cast(${rounded} as integer) end
    from refunds as refund where refund.order_id = sold.id and refund.status <> 'failed'
      and refund.reference is null)`;
})();

/** Sums up what a business sold, in one round trip. */
export function salesQuery({ db, business }: Pick<Context, "db" | "business">) {
  /** Orders that count as sales: not cancelled, and either paid or to be paid in cash. */
  const salesCondition = (start: SQL, end: SQL) => sql`sold.business_id = ${business.id}
    and sold.created_at >= ${start} and sold.created_at < ${end}
    and sold.status <> 'cancelled'
    and (sold.payment_status in ('captured', 'partially_refunded', 'refunded')
      or (sold.payment_method = 'cash' and sold.payment_status = 'pending'))`;

  return {
    /** @param periods consecutive periods without gaps. */
    async sum(periods: readonly SalesPeriod[]): Promise<Sales> {
      const [first, last] = [periods[0], periods.at(-1)];
      if (!first || !last) return { periods: [], topProducts: [] };
      const sums = sql`(select period.key as position, count(sold.id) as orders,
          coalesce(sum(sold.total_price_minor - ${refundedMinor}), 0) as revenue
        from json_each(${JSON.stringify(periods)}) as period
        left join ${orders} as sold on ${salesCondition(
          sql`(period.value ->> 'start')`,
          sql`(period.value ->> 'end')`,
        )}
        group by period.key) as sums`;
      const products = sql`(select line.product_id as product_id, max(line.product_name) as product_name,
          sum(line.quantity) as quantity, sum(line.quantity * line.unit_price_minor) as revenue
        from ${orders} as sold join ${orderLines} as line on line.order_id = sold.id
        where ${salesCondition(sql`${first.start}`, sql`${last.end}`)}
        group by line.product_id
        order by revenue desc, line.product_id limit ${maxTopProducts}) as products`;
      const [summed, sold] = await db.batch([
        db
          .select({
            orders: sql<number>`sums.orders`,
            revenueMinor: sql<number>`sums.revenue`,
          })
          .from(sums)
          .orderBy(sql`sums.position`),
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
  };
}
