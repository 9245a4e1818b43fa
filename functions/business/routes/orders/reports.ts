import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { day } from "../../../../shared/kernel/index.ts";
import {
  createSalesReport,
  type SalesPeriod,
  salesIntervals,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { id } from "../../../wire/fields.ts";
import { createMerchantContext } from "../../context.ts";
import { endOfBound, startOfBound, timeBound } from "../../requests/time-bounds.ts";
import { SalesReportView, viewSalesReport } from "../../views/orders/sales.ts";

const SalesReportQuery = z.object({
  from: timeBound().optional(),
  to: timeBound().optional(),
  interval: z.enum(salesIntervals).default("day"),
});

export const reports = createRoutes().openapi(
  route("get", "/v1/businesses/{business_id}/reports/sales", {
    summary: "Report sales minus refunds, in total and by day, week or month",
    access: secretKey("orders:read"),
    params: z.object({ business_id: id() }),
    query: SalesReportQuery,
    response: SalesReportView,
  }),
  async (c) => {
    const ctx = createMerchantContext(c);
    const { interval, ...bounds } = c.req.valid("query");
    const range = toSalesPeriod(bounds, ctx.business);
    const report = await createSalesReport(ctx, range, interval);
    return c.json(envelope(viewSalesReport(report, { range, interval }, ctx.business)), 200);
  },
);

const defaultPeriodMs = 30 * day;

/** The requested period, by default the last 30 days. The last day is included as a whole. */
function toSalesPeriod(
  { from, to }: Pick<z.infer<typeof SalesReportQuery>, "from" | "to">,
  business: Business,
): SalesPeriod {
  const end = to === undefined ? runtime.now() : endOfBound(to, business);
  const start = from === undefined ? end - defaultPeriodMs : startOfBound(from, business);
  return { start, end };
}
