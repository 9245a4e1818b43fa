import { type SQL, sql } from "drizzle-orm";
import { orders } from "../tables.ts";
import { proportion } from "./proportion.ts";

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

/** Which orders of a business a report counts; times in epoch milliseconds, the end is exclusive. */
export type SoldOrdersFilter = Readonly<{
  businessId: string;
  start: SQL | number;
  end: SQL | number;
}>;

/**
 * SQL that is true for an order with the alias `sold` that counts as a sale of the period: not
 * cancelled, and either paid or to be paid in cash.
 */
export const isSoldWithin = ({ businessId, start, end }: SoldOrdersFilter): SQL =>
  sql`sold.business_id = ${businessId}
    and sold.created_at >= ${start} and sold.created_at < ${end}
    and sold.status <> 'cancelled'
    and (sold.payment_status in ('captured', 'partially_refunded', 'refunded')
      or (sold.payment_method = 'cash' and sold.payment_status = 'pending'))`;

/**
 * SQL for the common table expressions `refunded_orders` and `sold_orders`: the orders of a period
 * with their refund, and with the part of it that refunds the items without an added tax.
 */
export function soldOrders(filter: SoldOrdersFilter): SQL {
  const items = sql`(subtotal_minor - discount_total_minor)`;
  const { quotient, remainder } = proportion({
    amount: sql`refunded_minor`,
    weight: items,
    total: sql`total_price_minor`,
  });
  // Of a tie between items and tax, the items get the unit.
  return sql`refunded_orders as materialized (
      select sold.id, sold.discounts, sold.subtotal_minor, sold.discount_total_minor,
        sold.total_price_minor, ${refundedMinor} as refunded_minor
      from ${orders} as sold where ${isSoldWithin(filter)}),
    sold_orders as materialized (
      select *, case when refunded_minor = 0 then 0
        else ${quotient} + (${remainder} > 0 and 2 * ${remainder} >= total_price_minor)
        end as items_refund_minor, ${items} as items_minor
      from refunded_orders)`;
}
