import { type SQL, sql } from "drizzle-orm";
import { orderLines, orders } from "../tables.ts";
import type { SalesPeriod } from "./periods.ts";

/**
 * SQL for the refunded amount of an order with the alias `sold`, in the order's currency. A payment
 * in another currency is converted by the refunded share of the order's total. Reads the table
 * refunds of shared/payments; refunds of duplicate charges do not count.
 */
export const refundedMinor = (() => {
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

/**
 * SQL that is true for an order that counts as a sale: not cancelled, and either paid or to be paid
 * in cash. A cancelled order that is paid counts when units of it had left before. Reads the table
 * shipments of shared/shipments.
 *
 * @param order the order's alias in the query.
 */
export const isSale = (order: SQL): SQL => sql`(
  (${order}.payment_status in ('captured', 'partially_refunded', 'refunded')
    and (${order}.status <> 'cancelled' or exists (select 1 from shipments as sent
      where sent.order_id = ${order}.id and sent.shipped_at is not null)))
  or (${order}.status <> 'cancelled' and ${order}.payment_method = 'cash'
    and ${order}.payment_status = 'pending'))`;

/** Which orders of a business a report counts. */
export type SoldOrdersFilter = Readonly<{
  businessId: string;
  periods: readonly SalesPeriod[];
  locationId?: string | undefined;
}>;

/** SQL for the join of `period` with its orders, `sold`. */
export const soldInPeriod = ({
  businessId,
  locationId,
}: Omit<SoldOrdersFilter, "periods">): SQL => sql`sold.business_id = ${businessId}
    and sold.created_at >= (period.value ->> 'start') and sold.created_at < (period.value ->> 'end')
    ${locationId === undefined ? sql`` : sql`and sold.location_id = ${locationId}`}
    and ${isSale(sql`sold`)}`;

/** SQL for the part of an order's discounts that lowers the price of its delivery. */
const deliveryDiscount = sql`coalesce((select sum(discount.value ->> 'deliveryShareMinor')
  from json_each(sold.discounts) as discount), 0)`;

/**
 * SQL for the part of an order's items that is a tax which prices include and an exempt customer did
 * not pay. The lines are only read for an order that costs less than its prices.
 */
const exemptedOfItems = sql`(case when sold.total_price_minor
      < sold.subtotal_minor - sold.discount_total_minor + sold.delivery_total_minor
    then (select sum(line.exempted_tax_minor) from ${orderLines} as line where line.order_id = sold.id)
    else 0 end)`;

/**
 * SQL for the common table expressions up to `sold_orders`: the orders of the periods with what is
 * refunded of them, and of their items. The items are without an added or exempted tax.
 */
export function soldOrders({ periods, ...filter }: SoldOrdersFilter): SQL {
  return sql`period_orders as materialized (
      select period.key as period, sold.id, sold.customer_id, sold.currency, sold.discounts, sold.tax,
        sold.tax_lines, sold.tax_total_minor, sold.total_price_minor,
        sold.subtotal_minor - sold.discount_total_minor + ${deliveryDiscount} - ${exemptedOfItems}
          as items_minor,
        ${refundedMinor} as refunded_minor
      from json_each(${JSON.stringify(periods)}) as period
        cross join ${orders} as sold on ${soldInPeriod(filter)}),
    sold_orders as materialized (
      select *, total_price_minor - refunded_minor as revenue_minor,
        ${refundOf(sql`items_minor`)} as items_refund_minor
      from period_orders)`;
}

/** SQL for what is refunded of a part of the order's total; of a tie the part gets the unit. */
export function refundOf(part: SQL): SQL {
  const { quotient, remainder } = proportion({
    amount: sql`refunded_minor`,
    weight: part,
    total: sql`total_price_minor`,
  });
  return sql`(case when refunded_minor = 0 then 0
    else ${quotient} + (${remainder} > 0 and 2 * ${remainder} >= total_price_minor) end)`;
}

type Proportion = Readonly<{ amount: SQL; weight: SQL; total: SQL }>;

/**
 * SQL for `amount * weight / total` as a whole quotient and its remainder. The product of two
 * amounts exceeds SQLite's 64 bits, so the amount is multiplied in three parts of five digits.
 * Exact for amounts up to `maxAmountMinor`, and null when the total is zero.
 */
export function proportion({ amount, weight, total }: Proportion): {
  quotient: SQL;
  remainder: SQL;
} {
  const high = sql`(${amount} / 10000000000 * ${weight})`;
  const middle = sql`(${high} % ${total} * 100000 + ${amount} / 100000 % 100000 * ${weight})`;
  const low = sql`(${middle} % ${total} * 100000 + ${amount} % 100000 * ${weight})`;
  return {
    quotient: sql`(${high} / ${total} * 10000000000 + ${middle} / ${total} * 100000 + ${low} / ${total})`,
    remainder: sql`(${low} % ${total})`,
  };
}
