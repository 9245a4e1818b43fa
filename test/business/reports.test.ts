import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { type CreateOrderOptions, createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
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
let tea: Product;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-03-10T12:00:00Z"));
  shop = await createBusiness({ timezone: "Africa/Lagos" });
  ask = merchant(shop);
  bread = await createProduct(shop, { name: "Bread", defaultPriceMinor: 2_500 });
  tea = await createProduct(shop, { name: "Tea", defaultPriceMinor: 1_000 });
});

function sellAt(
  when: string,
  product: Product,
  options: CreateOrderOptions = {},
): Promise<PlacedOrder> {
  vi.setSystemTime(Date.parse(when));
  return createOrder(shop, product.id, { payWith: "cash", quantity: 1, ...options });
}

const report = async (query: string) => ask("GET", `/reports/sales${query}`);
const march = "?from=2030-03-01&to=2030-03-31";

describe("GET /reports/sales", () => {
  it("sums orders, revenue and average, in total and by day of the business's time zone", async () => {
    await sellAt("2030-03-09T22:59:00Z", bread); // 23:59 of the 9th in Lagos
    await sellAt("2030-03-09T23:00:00Z", tea); // midnight of the 10th
    await sellAt("2030-03-10T09:00:00Z", bread, { quantity: 2 });
    const answer = await report("?from=2030-03-09&to=2030-03-11&interval=day");
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(dataOf(answer)).toEqual({
      from: "2030-03-08T23:00:00.000Z",
      to: "2030-03-11T23:00:00.000Z",
      interval: "day",
      timezone: "Africa/Lagos",
      currency: "GHS",
      orders: 3,
      revenue: "85.00",
      average: "28.33",
      intervals: [
        {
          start: "2030-03-08T23:00:00.000Z",
          end: "2030-03-09T23:00:00.000Z",
          orders: 1,
          revenue: "25.00",
          average: "25.00",
        },
        {
          start: "2030-03-09T23:00:00.000Z",
          end: "2030-03-10T23:00:00.000Z",
          orders: 2,
          revenue: "60.00",
          average: "30.00",
        },
        {
          start: "2030-03-10T23:00:00.000Z",
          end: "2030-03-11T23:00:00.000Z",
          orders: 0,
          revenue: "0.00",
          average: "0.00",
        },
      ],
      top_products: [
        { product_id: bread.id, product_name: "Bread", quantity: 3, revenue: "75.00" },
        { product_id: tea.id, product_name: "Tea", quantity: 1, revenue: "10.00" },
      ],
    });
  });

  it("subtracts refunds and leaves out cancelled and unpaid orders", async () => {
    const refunded = await sellAt("2030-03-02T10:00:00Z", bread, { payWith: "0", quantity: 2 });
    await ask("POST", `/orders/${refunded.id}/refunds`, { body: { amount: "20.00" } });
    const gone = await sellAt("2030-03-03T10:00:00Z", bread);
    await ask("POST", `/orders/${gone.id}/cancel`);
    await sellAt("2030-03-04T10:00:00Z", bread, { payWith: "1" });
    expect(dataOf(await report(march))).toMatchObject({
      orders: 1,
      revenue: "30.00",
      average: "30.00",
      top_products: [{ product_id: bread.id, quantity: 2, revenue: "30.00" }],
    });
  });

  it("groups by week and month, without another business's sales", async () => {
    await sellAt("2030-03-03T10:00:00Z", bread);
    await sellAt("2030-03-04T10:00:00Z", bread);
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    expect(dataOf(await neighbour("GET", `/reports/sales${march}`))).toMatchObject({
      orders: 0,
      revenue: "0.00",
      average: "0.00",
      top_products: [],
    });
    const ordersBy = async (interval: string) =>
      dataOf(await report(`${march}&interval=${interval}`)).intervals.map(
        ({ orders }: { orders: number }) => orders,
      );
    expect(await ordersBy("month")).toEqual([2]);
    expect(await ordersBy("week")).toEqual([1, 1, 0, 0, 0]);
  });

  it("covers the last 30 days by default", async () => {
    await sellAt("2030-02-01T10:00:00Z", bread);
    await sellAt("2030-03-01T10:00:00Z", bread);
    vi.setSystemTime(Date.parse("2030-03-10T12:00:00Z"));
    const answer = await report("");
    expect(dataOf(answer)).toMatchObject({ orders: 1, to: "2030-03-10T12:00:00.000Z" });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
  });

  it.each([
    ["to", "?from=2030-03-02&to=2030-03-01"],
    ["to", "?from=2028-01-01&to=2030-01-01"],
    ["from", "?from=2030-02-30"],
    ["from", "?from=yesterday"],
    ["interval", "?interval=hour"],
  ])("rejects an invalid %s by name", async (field, query) => {
    expect(await report(query)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });
});
