import type { Context } from "../../database/index.ts";
import { average, day, invalid } from "../../kernel/index.ts";
import { type Period, periodsIn, type SalesInterval } from "./periods.ts";
import { type PeriodSales, type ProductSales, salesRepo } from "./sales-repo.ts";

/** The average is of an order; zero where there is none. */
export type SalesFigures = PeriodSales & Readonly<{ averageMinor: number }>;

export type SalesReport = SalesFigures &
  Readonly<{
    intervals: readonly (Period & SalesFigures)[];
    topProducts: readonly ProductSales[];
  }>;

const longestMs = 366 * day;

/**
 * What a business sold in a range, as a whole and by the calendar of its time zone
 * (business-surface.md, GET /reports/sales). An order counts when it was placed, with what is left
 * of its total after refunds; cancelled orders and those that still await a provider's money do not.
 *
 * @throws Refusal VALIDATION_ERROR for a range that is empty or longer than 366 days.
 */
export async function salesReport(
  ctx: Pick<Context, "db" | "business">,
  range: Period,
  interval: SalesInterval,
): Promise<SalesReport> {
  if (range.end <= range.start) throw invalid("to", "must be after from");
  if (range.end - range.start > longestMs) throw invalid("to", "must be within 366 days of from");
  const periods = periodsIn(range, interval, ctx.business.timezone);
  const sold = await salesRepo(ctx).sum(periods);
  const intervals = periods.map((period, index) => ({
    ...period,
    ...figures(sold.periods.slice(index, index + 1)),
  }));
  return { ...figures(sold.periods), intervals, topProducts: sold.topProducts };
}

function figures(sales: readonly PeriodSales[]): SalesFigures {
  const orders = sales.reduce((sum, one) => sum + one.orders, 0);
  const revenueMinor = sales.reduce((sum, one) => sum + one.revenueMinor, 0);
  return { orders, revenueMinor, averageMinor: average(revenueMinor, orders) };
}
