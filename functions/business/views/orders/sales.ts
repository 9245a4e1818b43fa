import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { formatMoney, iso } from "../../../../shared/kernel/index.ts";
import {
  type SalesPeriod,
  type SalesReport,
  salesIntervals,
} from "../../../../shared/orders/index.ts";

const SalesFiguresView = z.object({
  orders: z.number().int(),
  revenue: z.string(),
  average: z.string(),
});

export const SalesReportView = SalesFiguresView.extend({
  from: z.string(),
  to: z.string(),
  interval: z.enum(salesIntervals),
  timezone: z.string(),
  currency: z.string(),
  intervals: z.array(SalesFiguresView.extend({ start: z.string(), end: z.string() })),
  top_products: z.array(
    z.object({
      product_id: z.string(),
      product_name: z.string(),
      quantity: z.number().int(),
      revenue: z.string(),
    }),
  ),
}).openapi("SalesReport");
export type SalesReportView = z.infer<typeof SalesReportView>;

type SalesReportRequest = Readonly<{
  range: SalesPeriod;
  interval: (typeof salesIntervals)[number];
}>;

export function viewSalesReport(
  report: SalesReport,
  { range, interval }: SalesReportRequest,
  { currency, timezone }: Business,
): SalesReportView {
  const money = (minor: number) => formatMoney(minor, currency);
  const figures = ({ orders, revenueMinor, averageMinor }: SalesReport | SalesInterval) => ({
    orders,
    revenue: money(revenueMinor),
    average: money(averageMinor),
  });
  return {
    from: iso(range.start),
    to: iso(range.end),
    interval,
    timezone,
    currency,
    ...figures(report),
    intervals: report.intervals.map((period) => ({
      start: iso(period.start),
      end: iso(period.end),
      ...figures(period),
    })),
    top_products: report.topProducts.map((product) => ({
      product_id: product.productId,
      product_name: product.productName,
      quantity: product.quantity,
      revenue: money(product.revenueMinor),
    })),
  };
}

type SalesInterval = SalesReport["intervals"][number];
