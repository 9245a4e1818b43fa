import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { day } from "../../../../shared/kernel/index.ts";
import { type Period, salesIntervals, salesReport } from "../../../../shared/orders/index.ts";
import { area } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { answer, contract } from "../../../http/contract.ts";
import { chance } from "../../../runtime/runtime.ts";
import { id } from "../../../wire/fields.ts";
import { merchantContext } from "../../context.ts";
import { beginningOf, bound, endOf } from "../../requests/bounds.ts";
import { SalesReportView, viewSalesReport } from "../../views/orders/sales.ts";

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
  business: Business,
): Period {
  const end = to === undefined ? chance.now() : endOf(to, business);
  const start = from === undefined ? end - defaultMs : beginningOf(from, business);
  return { start, end };
}
