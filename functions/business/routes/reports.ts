import { z } from "@hono/zod-openapi";
import type { Business } from "../../../shared/businesses/index.ts";
import { day } from "../../../shared/kernel/index.ts";
import {
  endOfDay,
  type Period,
  salesIntervals,
  salesReport,
  startOfDay,
} from "../../../shared/orders/index.ts";
import { secretKey } from "../../http/access.ts";
import { area } from "../../http/app.ts";
import { chance } from "../../http/chance.ts";
import { answer, contract } from "../../http/contract.ts";
import { id, instant } from "../../http/fields.ts";
import { merchantContext } from "../context.ts";
import { day as calendarDay } from "../fields.ts";
import { SalesReportView, viewSalesReport } from "../views/sales.ts";

/** A calendar day of the business's time zone, or an instant. */
const bound = () => z.union([calendarDay(), instant()]);

const Query = z.object({
  from: bound().optional(),
  to: bound().optional(),
  interval: z.enum(salesIntervals).default("day"),
});

export const reports = area().openapi(
  contract("get", "/v1/businesses/{business_id}/reports/sales", {
    summary: "What was sold, refunds taken off, as a whole and by day, week or month",
    access: secretKey("orders:read"),
    params: z.object({ business_id: id() }),
    query: Query,
    answer: SalesReportView,
  }),
  async (c) => {
    const ctx = merchantContext(c);
    const { interval, ...bounds } = c.req.valid("query");
    const range = rangeOf(bounds, ctx.business);
    const report = await salesReport(ctx, range, interval);
    return c.json(answer(viewSalesReport(report, { range, interval }, ctx.business)), 200);
  },
);

const defaultMs = 30 * day;

/** Days count whole, the last one too; left out, the range is the 30 days until now. */
function rangeOf(
  { from, to }: Pick<z.infer<typeof Query>, "from" | "to">,
  { timezone }: Business,
): Period {
  const end = typeof to === "string" ? endOfDay(to, timezone) : (to ?? chance.now());
  const start = typeof from === "string" ? startOfDay(from, timezone) : (from ?? end - defaultMs);
  return { start, end };
}
