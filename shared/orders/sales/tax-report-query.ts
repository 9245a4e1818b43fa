import { sql } from "drizzle-orm";
import type { Context } from "../../database/index.ts";
import type { Order } from "../order.ts";
import {
  assertReportRange,
  type SalesInterval,
  type SalesPeriod,
  splitIntoPeriods,
} from "./periods.ts";
import { soldOrders } from "./sold-orders-query.ts";

/** What orders with the same tax rule and currency amount to after refunds, in minor units. */
export type TaxFigures = Readonly<{
  /** Null for orders from before the rule was stored. */
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
 * Reports the taxes of the orders that count as sales, by tax rule and currency, in total and per
 * calendar interval. A refund reduces the taxable amount and the tax in proportion.
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

type TaxRow = TaxFigures & Readonly<{ position: number }>;

async function sumTaxes(
  { db, business }: Pick<Context, "db" | "business">,
  periods: readonly SalesPeriod[],
  locationId: string | undefined,
): Promise<TaxRow[]> {
  const sums = sql`(with ${soldOrders({ businessId: business.id, periods, locationId })}
    select period, tax ->> 'ratePercent' as rate_percent, tax ->> 'isInclusive' as is_inclusive,
      currency, count(*) as orders, sum(taxable_minor - taxable_refund_minor) as taxable,
      sum(tax_total_minor - (refunded_minor - taxable_refund_minor)) as tax
    from sold_orders group by 1, 2, 3, 4) as sums`;
  const rows = await db
    .select({
      position: sql<number>`sums.period`,
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
    tax: ratePercent === null ? null : { ratePercent, isInclusive: isInclusive === 1 },
  }));
}

/** The figures of each tax rule and currency, the lowest rate first. */
function sumByRate(rows: readonly TaxRow[]): TaxFigures[] {
  const sums = new Map<string, TaxFigures>();
  for (const { position: _, ...row } of rows) {
    const key = `${row.currency} ${row.tax?.ratePercent} ${row.tax?.isInclusive}`;
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
      Number(a.tax?.isInclusive ?? false) - Number(b.tax?.isInclusive ?? false),
  );
}
