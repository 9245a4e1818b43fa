import { z } from "@hono/zod-openapi";
import type { Business } from "../../../../shared/businesses/index.ts";
import { createStockReport } from "../../../../shared/inventory/index.ts";
import { day } from "../../../../shared/kernel/index.ts";
import {
  createCustomerReport,
  createSalesReport,
  createTaxReport,
  type SalesPeriod,
  salesIntervals,
} from "../../../../shared/orders/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { secretKey } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { runtime } from "../../../runtime/runtime.ts";
import { parseNumberPosition, parsePairPosition } from "../../../wire/cursor-position.ts";
import { id } from "../../../wire/fields.ts";
import { pageQuery } from "../../../wire/paging.ts";
import { createMerchantContext } from "../../context.ts";
import { stockFilterQuery, toStockFilter } from "../../requests/stock-query.ts";
import { endOfBound, startOfBound, timeBound } from "../../requests/time-bounds.ts";
import { CustomerReportView, viewCustomerReport } from "../../views/orders/customer-sales.ts";
import { SalesReportView, viewSalesReport } from "../../views/orders/sales.ts";
import { TaxReportView, viewTaxReport } from "../../views/orders/tax.ts";
import { StockReportView, viewStockReport } from "../../views/stock-report.ts";

const range = { from: timeBound().optional(), to: timeBound().optional() };
const interval = z.enum(salesIntervals).default("day");
const path = "/v1/businesses/{business_id}/reports";
const params = z.object({ business_id: id() });

/** The reports on sales, taxes, customers and stock (docs/contract/business.md#reports). */
export const reports = createRoutes()
  .openapi(
    route("get", `${path}/sales`, {
      operationId: "getSalesReport",
      tag: "Reports",
      summary: "Report sales minus refunds, in total and by day, week or month",
      access: secretKey("orders:read"),
      params,
      query: z.object({ ...range, interval }),
      response: SalesReportView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { interval, ...bounds } = c.req.valid("query");
      const range = toSalesPeriod(bounds, ctx.business);
      const report = await createSalesReport(ctx, range, interval);
      return c.json(envelope(viewSalesReport(report, { range, interval }, ctx.business)), 200);
    },
  )
  .openapi(
    route("get", `${path}/tax`, {
      operationId: "getTaxReport",
      tag: "Reports",
      summary: "Report taxes minus refunds by rate, in total and by day, week or month",
      access: secretKey("orders:read"),
      params,
      query: z.object({ ...range, interval, location_id: id().optional() }),
      response: TaxReportView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { interval, location_id: locationId, ...bounds } = c.req.valid("query");
      const request = { range: toSalesPeriod(bounds, ctx.business), interval, locationId };
      const report = await createTaxReport(ctx, request);
      return c.json(envelope(viewTaxReport(report, request, ctx.business)), 200);
    },
  )
  .openapi(
    route("get", `${path}/customers`, {
      operationId: "getCustomerReport",
      tag: "Reports",
      summary: "Report new and returning customers and guests, and list customers by revenue",
      access: secretKey("customers:read"),
      params,
      query: z.object({ ...range, location_id: id().optional(), ...pageQuery }),
      response: CustomerReportView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { location_id: locationId, limit, cursor, ...bounds } = c.req.valid("query");
      const range = toSalesPeriod(bounds, ctx.business);
      const last = parseNumberPosition(cursor, "cus_");
      const report = await createCustomerReport(ctx, {
        range,
        locationId,
        limit: limit + 1,
        after: last && { revenueMinor: last.number, customerId: last.id },
      });
      return c.json(envelope(viewCustomerReport(report, { range, limit }, ctx.business)), 200);
    },
  )
  .openapi(
    route("get", `${path}/stock`, {
      operationId: "getStockReport",
      tag: "Reports",
      summary: "Report stock levels with their value at the price",
      access: secretKey("inventory:read"),
      params,
      query: z.object({ ...pageQuery, ...stockFilterQuery }),
      response: StockReportView,
    }),
    async (c) => {
      const ctx = createMerchantContext(c);
      const { limit, cursor, ...filter } = c.req.valid("query");
      const last = parsePairPosition(cursor);
      const report = await createStockReport(ctx, toStockFilter(filter, ctx.business), {
        limit: limit + 1,
        after: last && { itemId: last[0], locationId: last[1] },
      });
      return c.json(envelope(viewStockReport(report, limit, ctx.business)), 200);
    },
  );

const defaultPeriodMs = 30 * day;

/** The requested period, by default the last 30 days. The last day is included as a whole. */
function toSalesPeriod(
  { from, to }: z.infer<z.ZodObject<typeof range>>,
  business: Business,
): SalesPeriod {
  const end = to === undefined ? runtime.now() : endOfBound(to, business);
  const start = from === undefined ? end - defaultPeriodMs : startOfBound(from, business);
  return { start, end };
}
