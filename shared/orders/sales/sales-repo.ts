import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { orderLines, orders } from "../tables.ts";
import type { Period } from "./periods.ts";

/** Sales of one period, in the currency's minor units; money that went back is taken off. */
export type PeriodSales = Readonly<{ orders: number; revenueMinor: number }>;

export type ProductSales = Readonly<{
  productId: string;
  productName: string;
  quantity: number;
  /** Before discounts and taxes. */
  revenueMinor: number;
}>;

export type Sales = Readonly<{
  /** One for each period asked for, in their order. */
  periods: readonly PeriodSales[];
  topProducts: readonly ProductSales[];
}>;

const topProducts = 10;

/**
 * What went back of an order `sold`, in its own currency. It was paid in another one perhaps: then as much
 * of its total as of the payment, rounded half to even, and the whole total once all is back. A charge
 * beside the payment's own was no part of the order's money.
 */
const refundedMinor = (() => {
  const back = sql`sum(back.amount_minor)`;
  const paid = sql`max(back.paid_minor)`;
  const share = sql`(sold.total_price_minor * ${back})`;
  const rest = sql`(2 * (${share} % ${paid}))`;
  const rounded = sql`(${share} / ${paid}
    + (${rest} > ${paid} or (${rest} = ${paid} and ${share} / ${paid} % 2 = 1)))`;
  return sql`(select case
      when count(*) = 0 then 0
      when max(back.currency) = sold.currency then ${back}
      when ${back} = ${paid} then sold.total_price_minor
      else cast(${rounded} as integer) end
    from refunds as back where back.order_id = sold.id and back.reference is null and back.status <> 'failed'
      and back.reference is null)`;
})();

/** What a business sold, summed up in the database in one round trip. */
export function salesRepo({ db, business }: Pick<Context, "db" | "business">) {
  /** Orders that stand: not cancelled, and paid for or to be paid in cash. */
  const placedIn = (start: SQL, end: SQL) => sql`sold.business_id = ${business.id}
    and sold.created_at >= ${start} and sold.created_at < ${end}
    and sold.status <> 'cancelled'
    and (sold.payment_status in ('captured', 'partially_refunded', 'refunded')
      or (sold.payment_method = 'cash' and sold.payment_status = 'pending'))`;

  return {
    /** @param periods one after the other, without gaps. */
    async sum(periods: readonly Period[]): Promise<Sales> {
      const [first, last] = [periods[0], periods.at(-1)];
      if (!first || !last) return { periods: [], topProducts: [] };
      const sums = sql`(select period.key as position, count(sold.id) as orders,
          coalesce(sum(sold.total_price_minor - ${refundedMinor}), 0) as revenue
        from json_each(${JSON.stringify(periods)}) as period
        left join ${orders} as sold on ${placedIn(
          sql`(period.value ->> 'start')`,
          sql`(period.value ->> 'end')`,
        )}
        group by period.key) as sums`;
      const products = sql`(select line.product_id as product_id, max(line.product_name) as product_name,
          sum(line.quantity) as quantity, sum(line.quantity * line.unit_price_minor) as revenue
        from ${orders} as sold join ${orderLines} as line on line.order_id = sold.id
        where ${placedIn(sql`${first.start}`, sql`${last.end}`)}
        group by line.product_id
        order by revenue desc, line.product_id limit ${topProducts}) as products`;
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
