import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import type { Customer } from "../../shared/customers/index.ts";
import { createCustomer, eraseCustomer, phoneContact } from "../support/create-customer.ts";
import { createDeal } from "../support/create-deal.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
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
let ama: Customer;
let kofi: Customer;

beforeEach(async () => {
  vi.setSystemTime(Date.parse("2030-02-01T12:00:00Z"));
  shop = await createBusiness();
  ask = merchant(shop);
  bread = await createProduct(shop, { name: "Bread", defaultPriceMinor: 1_000 });
  ama = await createCustomer(shop, phoneContact("+233241234567"), { name: "Ama" });
  kofi = await createCustomer(shop, phoneContact("+233241234568"), { name: "Kofi" });
});

const march = "?from=2030-03-01&to=2030-03-31";
const report = (query = march) => ask("GET", `/reports/customers${query}`);

/** Sells bread to a customer, or to a guest. */
async function sellTo(
  customer: Customer | null,
  { at, quantity = 1 }: { at: string; quantity?: number },
): Promise<PlacedOrder> {
  vi.setSystemTime(Date.parse(at));
  const order = await createOrder(shop, bread.id, { quantity });
  await selectRows(
    shop,
    "update orders set customer_id = ? where id = ?",
    customer?.id ?? null,
    order.id,
  );
  return order;
}

describe("GET /reports/customers", () => {
  it("counts new and returning customers and guests, and lists customers by revenue", async () => {
    await sellTo(kofi, { at: "2030-02-10T10:00:00Z" });
    await createDeal(shop);
    await sellTo(ama, { at: "2030-03-02T10:00:00Z" });
    const refunded = await sellTo(ama, { at: "2030-03-03T10:00:00Z" });
    await sellTo(kofi, { at: "2030-03-04T10:00:00Z", quantity: 5 });
    await sellTo(null, { at: "2030-03-05T10:00:00Z", quantity: 2 });
    await ask("POST", `/orders/${refunded.id}/refunds`, { body: { amount: "4.00" } });
    const answer = await report();
    expect(dataOf(answer)).toEqual({
      from: "2030-03-01T00:00:00.000Z",
      to: "2030-04-01T00:00:00.000Z",
      timezone: "Africa/Accra",
      currency: "GHS",
      new_customers: 1,
      returning_customers: 1,
      orders: 3,
      revenue: "59.00",
      guests: { orders: 1, revenue: "18.00" },
      items: [
        {
          customer_id: kofi.id,
          name: "Kofi",
          email: null,
          phone: "+233241234568",
          is_new: false,
          orders: 1,
          revenue: "45.00",
        },
        {
          customer_id: ama.id,
          name: "Ama",
          email: null,
          phone: "+233241234567",
          is_new: true,
          orders: 2,
          revenue: "14.00",
        },
      ],
      pagination: { limit: 20, next_cursor: null, has_more: false },
    });
    expect(roundTrips(answer).d1).toBe(1);
  });

  it("does not count a customer as returning for an order that was cancelled or never paid", async () => {
    const cancelled = await sellTo(ama, { at: "2030-02-10T10:00:00Z" });
    await ask("POST", `/orders/${cancelled.id}/cancel`);
    await sellTo(ama, { at: "2030-03-02T10:00:00Z" });
    expect(dataOf(await report())).toMatchObject({ new_customers: 1, returning_customers: 0 });
  });

  it("pages through customers of equal revenue, each once, with the figures on every page", async () => {
    await sellTo(ama, { at: "2030-03-02T10:00:00Z" });
    await sellTo(kofi, { at: "2030-03-03T10:00:00Z" });
    const first = dataOf(await report(`${march}&limit=1`));
    expect(first).toMatchObject({ new_customers: 2, pagination: { has_more: true } });
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = dataOf(await report(`${march}&limit=1&cursor=${cursor}`));
    expect(second).toMatchObject({ new_customers: 2, pagination: { has_more: false } });
    const listed = [...first.items, ...second.items].map((item) => item.customer_id);
    expect(listed).toEqual([ama.id, kofi.id].sort());
  });

  it("counts only orders at the named location, and none of another business", async () => {
    await sellTo(ama, { at: "2030-03-02T10:00:00Z" });
    expect(dataOf(await report(`${march}&location_id=loc_none`))).toMatchObject({
      orders: 0,
      items: [],
    });
    const neighbour = await createBusinessOnSameShard(shop);
    expect(dataOf(await merchant(neighbour)("GET", `/reports/customers${march}`))).toMatchObject({
      orders: 0,
      new_customers: 0,
      guests: { orders: 0, revenue: "0.00" },
      items: [],
    });
  });

  it("shows nothing personal of an erased customer", async () => {
    await sellTo(ama, { at: "2030-03-02T10:00:00Z" });
    await eraseCustomer(shop, ama.id);
    expect(dataOf(await report()).items).toMatchObject([
      { customer_id: ama.id, name: null, email: null, phone: null, orders: 1 },
    ]);
  });

  it("rejects bad input by name", async () => {
    for (const [field, query] of [
      ["to", "?from=2030-03-02&to=2030-03-01"],
      ["limit", "?limit=101"],
      ["cursor", `?cursor=${btoa("7 ord_1")}`],
      ["interval", "?interval=day"],
    ])
      expect(await report(query)).toMatchObject({
        status: 400,
        body: { error: { code: "VALIDATION_ERROR", context: { field } } },
      });
  });
});
