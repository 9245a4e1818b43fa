import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import { defaultTaxName } from "../../pricing/index.ts";
import type { Order } from "../order.ts";
import {
  assertReportRange,
  type SalesInterval,
  type SalesPeriod,
  splitIntoPeriods,
} from "./periods.ts";
import { refundOf, soldOrders } from "./sold-orders-query.ts";

/** What one tax rate amounts to in one currency after refunds, in minor units. */
export type TaxFigures = Readonly<{
  name: string;
  /** Null for orders from before the rate was stored. */
  tax: Order["tax"];
  currency: string;
  orders: number;
  taxableMinor: number;
  taxMinor: number;
}>;

export type TaxReport = Readonly<{
  rates: readonly TaxFigures[];
  intervals: readonly (SalesPeriod & Readonly<{ rates: readonly TaxFigures[] }>)[];
}>;

type TaxReportInput = Readonly<{
  range: SalesPeriod;
  interval: SalesInterval;
  locationId: string | undefined;
}>;

/**
 * Reports the taxes of the orders that count as sales, by tax rate and currency, in total and per
 * calendar interval. A refund reduces the taxable amount and the tax in proportion; its parts of all
 * rates add up to the refund's tax.
 *
 * @throws Refusal as `assertReportRange`.
 */
export async function createTaxReport(
  ctx: Pick<Context, "db" | "business">,
  { range, interval, locationId }: TaxReportInput,
): Promise<TaxReport> {
  assertReportRange(range);
  const periods = splitIntoPeriods(range, interval, ctx.business.timezone);
  const rows = await sumTaxes(ctx, periods, locationId);
  return {
    rates: sumByRate(rows),
    intervals: periods.map((period, index) => ({
      ...period,
      rates: sumByRate(rows.filter(({ position }) => position === index)),
    })),
  };
}

/**
 * SQL for the tax lines of an order. An order without any is listed with a rate of zero, one from
 * before they were stored with the business's rate of its time.
 */
const taxLines = (() => {
  const rule = sql`tax ->> 'ratePercent'`;
  const rate = sql`case when tax_lines is null or ${rule} * 1.0 = 0 then ${rule} else '0' end`;
  return sql`case when json_array_length(tax_lines) > 0 then tax_lines else json_array(json_object(
    'name', ${defaultTaxName}, 'ratePercent', ${rate},
    'taxableMinor', total_price_minor - tax_total_minor, 'amountMinor', tax_total_minor)) end`;
})();

type TaxRow = TaxFigures & Readonly<{ position: number }>;

async function sumTaxes(
  { db, business }: Pick<Context, "db" | "business">,
  periods: readonly SalesPeriod[],
  locationId: string | undefined,
): Promise<TaxRow[]> {
  const sums = sql`(with ${soldOrders({ businessId: business.id, periods, locationId })},
    order_taxes as materialized (
      select period, sold_orders.id as order_id, currency, refunded_minor, total_price_minor,
        tax ->> 'isInclusive' as is_inclusive, tax_line.value ->> 'name' as name,
        tax_line.value ->> 'ratePercent' as rate_percent,
        tax_line.value ->> 'taxableMinor' as taxable_minor, tax_line.value ->> 'amountMinor' as amount_minor,
        coalesce(sum(tax_line.value ->> 'amountMinor') over (partition by sold_orders.id
          order by tax_line.key rows between unbounded preceding and 1 preceding), 0) as taxed_before_minor
      from sold_orders cross join json_each(${taxLines}) as tax_line),
    refunded_taxes as materialized (
      select *, ${refundOf(sql`taxable_minor`)} as taxable_refund_minor,
        ${refundOf(sql`(total_price_minor - taxed_before_minor)`)}
          - ${refundOf(sql`(total_price_minor - taxed_before_minor - amount_minor)`)} as tax_refund_minor
      from order_taxes)
    select period, name, rate_percent, is_inclusive, currency, count(distinct order_id) as orders,
      sum(taxable_minor - taxable_refund_minor) as taxable,
      sum(amount_minor - tax_refund_minor) as tax
    from refunded_taxes group by 1, 2, 3, 4, 5) as sums`;
  const rows = await db
    .select({
      position: sql<number>`sums.period`,
      name: sql<string>`sums.name`,
      ratePercent: sql<string | null>`sums.rate_percent`,
      isInclusive: sql<number | null>`sums.is_inclusive`,
      currency: sql<string>`sums.currency`,
      orders: sql<number>`sums.orders`,
      taxableMinor: sql<number>`sums.taxable`,
      taxMinor: sql<number>`sums.tax`,
    })
    .from(sums);
  return rows.map(({ ratePercent, isInclusive, ...figures }) => ({
    ...figures,
    tax:
      ratePercent === null || isInclusive === null
        ? null
        : { ratePercent, isInclusive: isInclusive === 1 },
  }));
}

/** The figures of each tax rate and currency, the lowest rate first. */
function sumByRate(rows: readonly TaxRow[]): TaxFigures[] {
  const sums = new Map<string, TaxFigures>();
  for (const { position: _, ...row } of rows) {
    const key = `${row.currency} ${row.tax?.ratePercent} ${row.tax?.isInclusive} ${row.name}`;
    const sum = sums.get(key);
    sums.set(key, {
      ...row,
      orders: row.orders + (sum?.orders ?? 0),
      taxableMinor: row.taxableMinor + (sum?.taxableMinor ?? 0),
      taxMinor: row.taxMinor + (sum?.taxMinor ?? 0),
    });
  }
  return [...sums.values()].toSorted(
    (a, b) =>
      a.currency.localeCompare(b.currency) ||
      Number(a.tax?.ratePercent ?? -1) - Number(b.tax?.ratePercent ?? -1) ||
      Number(a.tax?.isInclusive ?? false) - Number(b.tax?.isInclusive ?? false) ||
      a.name.localeCompare(b.name),
  );
}
