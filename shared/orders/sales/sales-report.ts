import type { Context } from "../../database/index.ts";
import { average } from "../../kernel/index.ts";
import {
  assertReportRange,
  type SalesInterval,
  type SalesPeriod,
  splitIntoPeriods,
} from "./periods.ts";
import { type PeriodSales, type ProductSales, salesQuery } from "./sales-query.ts";

/** The sales of a period with the average order value, which is zero without orders. */
type SalesFigures = PeriodSales & Readonly<{ averageMinor: number }>;

export type SalesReport = SalesFigures &
  Readonly<{
    intervals: readonly (SalesPeriod & SalesFigures)[];
    topProducts: readonly ProductSales[];
  }>;

/**
 * Reports a business's sales in a range, in total and per calendar interval. An order counts at the
 * time it was placed, with its total after refunds. Cancelled orders, and orders that wait for a
 * provider's payment, do not count.
 *
 * @throws Refusal VALIDATION_ERROR for a range that is empty or longer than 366 days.
 */
export async function createSalesReport(
  ctx: Pick<Context, "db" | "business">,
  range: SalesPeriod,
  interval: SalesInterval,
): Promise<SalesReport> {
  assertReportRange(range);
  const periods = splitIntoPeriods(range, interval, ctx.business.timezone);
  const sales = await salesQuery(ctx).sum(periods);
  const intervals = periods.map((period, index) => ({
    ...period,
    ...totalFigures(sales.periods.slice(index, index + 1)),
  }));
  return { ...totalFigures(sales.periods), intervals, topProducts: sales.topProducts };
}

function totalFigures(sales: readonly PeriodSales[]): SalesFigures {
  const orders = sales.reduce((sum, period) => sum + period.orders, 0);
  const revenueMinor = sales.reduce((sum, period) => sum + period.revenueMinor, 0);
  return { orders, revenueMinor, averageMinor: average(revenueMinor, orders) };
}
