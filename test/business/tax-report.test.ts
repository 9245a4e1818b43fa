import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import {
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;
let bread: Product;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-03-01T12:00:00Z"));
  shop = await createBusiness({ timezone: "Africa/Lagos" });
  ask = merchant(shop);
  bread = await createProduct(shop, { name: "Bread", defaultPriceMinor: 11_500 });
});

const march = "?from=2030-03-01&to=2030-03-31&interval=month";
const report = (query = march) => ask("GET", `/reports/tax${query}`);
const refund = (order: PlacedOrder, amount: string) =>
  ask("POST", `/orders/${order.id}/refunds`, { body: { amount } });

/** Sells bread with a tax that prices contain, or that is added to them. */
async function sellWithTax(
  ratePercent: string,
  { isInclusive, at }: { isInclusive: boolean; at: string },
): Promise<PlacedOrder> {
  await changeSettings(shop, { tax: { ratePercent, isInclusive } });
  vi.setSystemTime(Date.parse(at));
  return createOrder(shop, bread.id, { quantity: 1 });
}

describe("GET /reports/tax", () => {
  it("sums taxable amounts and taxes by rate, in total and by period", async () => {
    await sellWithTax("15", { isInclusive: true, at: "2030-03-02T10:00:00Z" });
    await sellWithTax("15", { isInclusive: true, at: "2030-03-02T23:30:00Z" }); // the 3rd in Lagos
    await sellWithTax("15", { isInclusive: false, at: "2030-03-03T10:00:00Z" });
    await sellWithTax("7.5", { isInclusive: false, at: "2030-03-03T11:00:00Z" });
    const low = { name: "Tax", rate_percent: "7.5", inclusive: false, currency: "GHS" };
    const contained = { name: "Tax", rate_percent: "15", inclusive: true, currency: "GHS" };
    const added = { name: "Tax", rate_percent: "15", inclusive: false, currency: "GHS" };
    const once = { orders: 1, taxable_amount: "115.00" };
    const answer = await report("?from=2030-03-02&to=2030-03-03");
    expect(dataOf(answer)).toEqual({
      from: "2030-03-01T23:00:00.000Z",
      to: "2030-03-03T23:00:00.000Z",
      interval: "day",
      timezone: "Africa/Lagos",
      location_id: null,
      rates: [
        { ...low, ...once, tax_amount: "8.62" },
        { ...added, ...once, tax_amount: "17.25" },
        { ...contained, orders: 2, taxable_amount: "200.00", tax_amount: "30.00" },
      ],
      intervals: [
        {
          start: "2030-03-01T23:00:00.000Z",
          end: "2030-03-02T23:00:00.000Z",
          rates: [{ ...contained, orders: 1, taxable_amount: "100.00", tax_amount: "15.00" }],
        },
        {
          start: "2030-03-02T23:00:00.000Z",
          end: "2030-03-03T23:00:00.000Z",
          rates: [
            { ...low, ...once, tax_amount: "8.62" },
            { ...added, ...once, tax_amount: "17.25" },
            { ...contained, orders: 1, taxable_amount: "100.00", tax_amount: "15.00" },
          ],
        },
      ],
    });
    expect(roundTrips(await report()).d1).toBe(1); // the key is cached by now
  });

  it("takes the tax out of refunds in the order's own proportion, and adds up to its revenue", async () => {
    await createDeal(shop);
    const order = await sellWithTax("15", { isInclusive: false, at: "2030-03-02T10:00:00Z" });
    await refund(order, "39.68"); // of 119.02: 103.50 after the deal, and 15.52 tax
    expect(dataOf(await report()).rates).toEqual([
      {
        name: "Tax",
        rate_percent: "15",
        inclusive: false,
        currency: "GHS",
        orders: 1,
        taxable_amount: "68.99",
        tax_amount: "10.35",
      },
    ]);
    await refund(order, "79.34");
    expect(dataOf(await report()).rates).toMatchObject([
      { orders: 1, taxable_amount: "0.00", tax_amount: "0.00" },
    ]);
  });

  it("counts the same orders as the sales report, at one location if it is named", async () => {
    const sold = await sellWithTax("15", { isInclusive: true, at: "2030-03-02T10:00:00Z" });
    const cancelled = await sellWithTax("15", { isInclusive: true, at: "2030-03-03T10:00:00Z" });
    await ask("POST", `/orders/${cancelled.id}/cancel`);
    await createOrder(shop, bread.id, { payWith: "1" }); // not paid yet
    const neighbour = await createBusinessOnSameShard(shop);
    expect(dataOf(await merchant(neighbour)("GET", `/reports/tax${march}`)).rates).toEqual([]);
    const [{ location_id } = {}] = await selectRows(
      shop,
      "select location_id from orders where id = ?",
      sold.id,
    );
    const there = await report(`${march}&location_id=${location_id}`);
    expect(dataOf(there)).toMatchObject({ location_id, rates: [{ orders: 1 }] });
    const elsewhere = await report(`${march}&location_id=loc_none`);
    expect(dataOf(elsewhere)).toMatchObject({ location_id: "loc_none", rates: [] });
  });

  it("has no rate for orders from before rates were stored", async () => {
    const order = await sellWithTax("15", { isInclusive: true, at: "2030-03-02T10:00:00Z" });
    await selectRows(shop, "update orders set tax = null where id = ?", order.id);
    expect(dataOf(await report()).rates).toMatchObject([
      { rate_percent: null, inclusive: null, tax_amount: "15.00" },
    ]);
  });

  it("lists each rate of an order, and refunds of it in proportion", async () => {
    const order = await sellWithTax("15", { isInclusive: false, at: "2030-03-02T10:00:00Z" });
    const taxLine = (name: string, ratePercent: string, amountMinor: number) => ({
      name,
      ratePercent,
      taxableMinor: 11_500,
      amountMinor,
    });
    await selectRows(
      shop,
      "update orders set tax_lines = ? where id = ?",
      JSON.stringify([taxLine("PST", "10", 1_150), taxLine("GST", "5", 575)]),
      order.id,
    );
    await refund(order, "13.22"); // a tenth of 132.25
    const once = { orders: 1, taxable_amount: "103.50", inclusive: false };
    expect(dataOf(await report()).rates).toMatchObject([
      { name: "GST", rate_percent: "5", ...once, tax_amount: "5.18" },
      { name: "PST", rate_percent: "10", ...once, tax_amount: "10.35" },
    ]);
    await refund(order, "0.05");
    const taxes = dataOf(await report()).rates.map(
      (rate: { tax_amount: string }) => rate.tax_amount,
    );
    const { refunds } = dataOf(await ask("GET", `/orders/${order.id}`)).payment;
    const refunded = refunds.map((one: { tax_amount: string }) => one.tax_amount);
    const sum = (amounts: readonly string[]) => amounts.reduce((all, one) => all + Number(one), 0);
    expect(sum(taxes)).toBeCloseTo(17.25 - sum(refunded), 6);
    await refund(order, "118.98");
    expect(dataOf(await report()).rates).toMatchObject([
      { taxable_amount: "0.00", tax_amount: "0.00" },
      { taxable_amount: "0.00", tax_amount: "0.00" },
    ]);
  });

  it("rejects bad input by name, and a key without orders:read", async () => {
    for (const [field, query] of [
      ["to", "?from=2030-03-02&to=2030-03-01"],
      ["to", "?from=2028-01-01&to=2030-01-01"],
      ["interval", "?interval=hour"],
      ["rate", "?rate=15"],
    ])
      expect(await report(query)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field } } },
      });
    const other = await createKey(shop, { scopes: ["customers:read", "inventory:read"] });
    const refused = await ask("GET", "/reports/tax", { headers: { "X-API-Key": other } });
    expect(refused.status).toBe(403);
  });
});
