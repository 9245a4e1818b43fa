import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { orderListRepo, orderSearch } from "../../shared/orders/index.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { merchant, roundTrips } from "../support/world.ts";
import { givenShopWithStock } from "./given-orders.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, ask } = await givenShopWithStock());
});

const cash = (fields = {}) => givenSale(shop, product.id, { how: "cash", quantity: 1, fields });

describe("GET /orders", () => {
  const listed = async (query: string): Promise<string[]> => {
    const answer = await ask("GET", `/orders${query}`);
    expect(answer.status).toBe(200);
    return dataOf(answer).items.map(({ id }: { id: string }) => id);
  };

  it("lists the newest first, in pages that neither repeat nor skip, within its round trips", async () => {
    const sales = [await cash(), await cash(), await cash()];
    const newest = sales.map(({ id }) => id).reverse();
    expect(await listed("")).toEqual(newest);
    const first = await ask("GET", "/orders?limit=2");
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const { next_cursor, has_more } = dataOf(first).pagination;
    expect(has_more).toBe(true);
    const late = await cash();
    expect(await listed(`?limit=2&cursor=${next_cursor}`)).toEqual([newest[2]]);
    expect(await listed("?limit=1")).toEqual([late.id]);
    expect(await ask("GET", "/orders?cursor=nonsense")).toMatchObject({ status: 400 });
  });

  it("reads each order whole, however many there are, in one round trip", async () => {
    for (let sale = 0; sale < 3; sale += 1) await givenSale(shop, product.id, { quantity: 1 });
    const meter = createMeter();
    const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), meter);
    const found = await orderListRepo({ db, business: shop.business }).list(
      {},
      { limit: 20, before: null },
    );
    expect(meter.d1).toBe(1);
    for (const { order, payment } of found) {
      expect(order.lines).toMatchObject([{ productId: product.id, quantity: 1 }]);
      expect(order.statusHistory).toHaveLength(2);
      expect(payment).toMatchObject({ orderId: order.id, status: "captured" });
    }
  });

  it("narrows by status, payment status, customer and time", async () => {
    const waits = await cash();
    const done = await cash();
    await ask("POST", `/orders/${done.id}/status`, { body: { status: "completed" } });
    const paid = await givenSale(shop, product.id, { quantity: 1 });
    await rowsOf(shop, "update orders set customer_id = 'cus_ama' where id = ?", paid.id);
    expect(await listed("?status=completed")).toEqual([done.id]);
    expect(await listed("?payment_status=succeeded")).toEqual([paid.id]);
    expect(await listed("?payment_status=pending")).toEqual([done.id, waits.id]);
    expect(await listed("?customer=cus_ama&status=confirmed")).toEqual([paid.id]);
    expect(await listed("?customer=cus_other")).toEqual([]);
    const { created_at } = dataOf(await ask("GET", `/orders/${done.id}`));
    const at = encodeURIComponent(created_at);
    expect(await listed(`?from=${at}&to=${at}`)).toEqual([done.id]);
    expect(await ask("GET", "/orders?status=lost")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "status" } } },
    });
  });

  it("finds an order by its number, words of the name, e-mail address and phone", async () => {
    const ama = await cash({
      customer: { name: "Áma Serwaa Mensah", email: "ama@example.com", phone: "0241234567" },
    });
    const kofi = await cash({ customer: { name: "Kofi Mensah", phone: "0209876543" } });
    const found = (text: string) => listed(`?search=${encodeURIComponent(text)}`);
    expect(await found(ama.number)).toEqual([ama.id]);
    expect(await found(ama.number.toLowerCase())).toEqual([ama.id]);
    expect(await found(ama.number.replace("ORD-", ""))).toEqual([ama.id]);
    expect(await found("ama")).toEqual([ama.id]);
    expect(await found("Serw")).toEqual([ama.id]);
    expect(await found("mensah kof")).toEqual([kofi.id]);
    expect(await found("mensah")).toEqual([kofi.id, ama.id]);
    expect(await found("AMA@example.com")).toEqual([ama.id]);
    expect(await found("024 123 4567")).toEqual([ama.id]);
    expect(await found("+233209876543")).toEqual([kofi.id]);
    for (const nothing of ["ensah", "yaw", "%", "ama kofi", "x".repeat(100)]) {
      expect(await found(nothing)).toEqual([]);
    }
    expect(await ask("GET", `/orders?search=${"x".repeat(101)}`)).toMatchObject({ status: 400 });
    expect(await listed("?search=mensah&status=completed")).toEqual([]);
  });

  it("keeps to its own business's orders when it searches", async () => {
    await cash({ customer: { name: "Ama", phone: "0241234567" } });
    const neighbour = merchant(await givenNeighbour(shop));
    for (const text of ["Ama", "ORD-1001", "0241234567"]) {
      expect(dataOf(await neighbour("GET", `/orders?search=${text}`)).items).toEqual([]);
    }
  });

  const search = orderSearch("ama 1001", { phone: null, numberPrefix: "ORD-" });
  it.each([
    ["everything", {}, /orders_newest \(business_id=\? AND \(created_at,id\)<\(\?,\?\)\)/],
    [
      "a time",
      { from: 1, to: 2 },
      /orders_newest \(business_id=\? AND created_at>\? AND created_at<\?\)/,
    ],
    ["a status", { status: "pending" }, /orders_by_status \(business_id=\? AND status=\?/],
    ["a payment status", { paymentStatus: "captured" }, /orders_by_payment_status/],
    ["a customer", { customerId: "cus_ama" }, /orders_by_customer/],
    ["a search", { search }, /order_terms.*\(business_id=\? AND term>\? AND term<\?\)/],
  ] as const)("is served by an index for %s", async (_, filter, index) => {
    const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
    const asked: [string, unknown[]][] = [];
    const noting = {
      prepare: (query: string) => ({
        bind: (...values: unknown[]) => {
          asked.push([query, values]);
          return d1.prepare(query).bind(...values);
        },
      }),
      batch: d1.batch.bind(d1),
    };
    const db = openDb(noting as unknown as D1Database, createMeter()); // safe: drizzle prepares and binds
    await orderListRepo({ db, business: shop.business }).list(filter, {
      limit: 20,
      before: { createdAt: 5, id: "ord_1" },
    });
    const plans: string[] = [];
    for (const [query, values] of asked) {
      const { results } = await d1
        .prepare(`explain query plan ${query}`)
        .bind(...values)
        .all();
      plans.push(...results.map(({ detail }) => String(detail)));
    }
    expect(asked).toHaveLength(6);
    expect(plans.join("\n")).toMatch(index);
    expect(plans.filter((step) => /^SCAN (?!json_each|word|\(subquery)/.test(step))).toEqual([]);
  });
});
