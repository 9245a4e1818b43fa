import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createStockReport } from "../../shared/inventory/index.ts";
import {
  createCustomerReport,
  createSalesReport,
  createTaxReport,
} from "../../shared/orders/index.ts";
import { explainQueries } from "../support/explain-queries.ts";
import { createBusiness } from "../support/world.ts";

let shop: CreatedBusiness;

beforeAll(async () => {
  shop = await createBusiness();
});

const range = { start: Date.parse("2030-03-01"), end: Date.parse("2030-03-31") };

/** Scans of what a query has selected itself: its values, and its common table expressions. */
const ownRows =
  /^SCAN \(?(?:period|sums|products|discount|override|value|\w+_orders|lines|refund_shares|refunded_lines|product_sales|order_taxes|refunded_taxes|tax_line|buyers|totals|page|json_each|level|item|scanned|subquery-\d+|CONSTANT ROW)\b/;

/** The steps that read a table without an index that leads to the rows. */
const tableScans = (steps: readonly string[]) =>
  steps.filter((step) => step.startsWith("SCAN") && !ownRows.test(step));

const ordersOfPeriod =
  /^SEARCH sold USING INDEX (?:orders_newest \(business_id=\?|orders_by_location \(business_id=\? AND location_id=\?) AND created_at>\? AND created_at<\?\)/;

describe("the reports of a business", () => {
  it.each([
    ["sales", (ctx) => createSalesReport(ctx, range, "day"), 2],
    ["taxes", (ctx) => createTaxReport(ctx, { range, interval: "day", locationId: undefined }), 1],
    [
      "taxes of a location",
      (ctx) => createTaxReport(ctx, { range, interval: "day", locationId: "loc_1" }),
      1,
    ],
    [
      "customers",
      (ctx) => createCustomerReport(ctx, { range, locationId: undefined, limit: 20, after: null }),
      2,
    ],
  ] satisfies [string, Parameters<typeof explainQueries>[1], number][])(
    "read %s from the orders of the period alone",
    async (_, read, statements) => {
      const plans = await explainQueries(shop, read);
      expect(plans).toHaveLength(statements);
      for (const steps of plans) {
        expect(steps.filter((step) => ordersOfPeriod.test(step))).toHaveLength(1);
        expect(tableScans(steps)).toEqual([]);
      }
    },
  );

  it("read the lines of the period's orders by order", async () => {
    const [, products] = await explainQueries(shop, (ctx) => createSalesReport(ctx, range, "day"));
    expect(products).toContain("SEARCH line USING INDEX order_lines_in_order (order_id=?)");
  });

  it("find a customer's earlier orders by the customer", async () => {
    const plans = await explainQueries(shop, (ctx) =>
      createCustomerReport(ctx, { range, locationId: undefined, limit: 20, after: null }),
    );
    for (const steps of plans)
      expect(steps).toContainEqual(
        expect.stringMatching(
          /^SEARCH earlier USING INDEX orders_by_customer \(business_id=\? AND customer_id=\? AND created_at<\?\)/,
        ),
      );
  });

  it.each([
    ["all stock", {}],
    ["the stock of a location", { locationId: "loc_1" }],
    ["low stock", { isLow: true }],
  ])("read %s from the levels of the business alone", async (_, filter) => {
    const plans = await explainQueries(shop, (ctx) =>
      createStockReport(ctx, filter, { limit: 20, after: null }),
    );
    for (const steps of plans) {
      expect(tableScans(steps)).toEqual([]);
      for (const step of steps.filter((step) => step.includes("stock_levels ")))
        expect(step).toMatch(/^SEARCH stock_levels USING .*\(business_id=\?/);
    }
  });
});
