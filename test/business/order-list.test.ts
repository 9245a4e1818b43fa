import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { orderListQuery, parseOrderSearch } from "../../shared/orders/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusinessOnSameShard, dataOf, merchant, roundTrips } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const cash = (fields = {}) =>
  createOrder(shop, product.id, { payWith: "cash", quantity: 1, fields });

describe("GET /orders", () => {
  const listOrderIds = async (query: string): Promise<string[]> => {
    const answer = await ask("GET", `/orders${query}`);
    expect(answer.status).toBe(200);
    return dataOf(answer).items.map(({ id }: { id: string }) => id);
  };

  it("lists the newest first, in pages without gaps or repeats, within its round trips", async () => {
    const sales = [await cash(), await cash(), await cash()];
    const newest = sales.map(({ id }) => id).reverse();
    expect(await listOrderIds("")).toEqual(newest);
    const first = await ask("GET", "/orders?limit=2");
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const { next_cursor, has_more } = dataOf(first).pagination;
    expect(has_more).toBe(true);
    const late = await cash();
    expect(await listOrderIds(`?limit=2&cursor=${next_cursor}`)).toEqual([newest[2]]);
    expect(await listOrderIds("?limit=1")).toEqual([late.id]);
    expect(await ask("GET", "/orders?cursor=nonsense")).toMatchObject({ status: 400 });
  });

  it("reads complete orders in one round trip", async () => {
    for (let sale = 0; sale < 3; sale += 1) await createOrder(shop, product.id, { quantity: 1 });
    const meter = createMeter();
    const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), meter);
    const found = await orderListQuery({ db, business: shop.business }).list(
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

  it("filters by status, payment status, customer and time", async () => {
    const waits = await cash();
    const done = await cash();
    await ask("POST", `/orders/${done.id}/status`, { body: { status: "completed" } });
    const paid = await createOrder(shop, product.id, { quantity: 1 });
    await selectRows(shop, "update orders set customer_id = 'cus_ama' where id = ?", paid.id);
    expect(await listOrderIds("?status=completed")).toEqual([done.id]);
    expect(await listOrderIds("?payment_status=succeeded")).toEqual([paid.id]);
    expect(await listOrderIds("?payment_status=pending")).toEqual([done.id, waits.id]);
    expect(await listOrderIds("?customer=cus_ama&status=confirmed")).toEqual([paid.id]);
    expect(await listOrderIds("?customer=cus_other")).toEqual([]);
    const { created_at } = dataOf(await ask("GET", `/orders/${done.id}`));
    const at = encodeURIComponent(created_at);
    expect(await listOrderIds(`?from=${at}&to=${at}`)).toEqual([done.id]);
    expect(await ask("GET", "/orders?status=lost")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "status" } } },
    });
  });

  it("finds an order by number, words of the name, e-mail address and phone", async () => {
    const ama = await cash({
      customer: { name: "Áma Serwaa Mensah", email: "ama@example.com", phone: "0241234567" },
    });
    const kofi = await cash({ customer: { name: "Kofi Mensah", phone: "0209876543" } });
    const found = (text: string) => listOrderIds(`?search=${encodeURIComponent(text)}`);
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
    expect(await listOrderIds("?search=mensah&status=completed")).toEqual([]);
  });

  it("filters by location and by the product of a line, in pages", async () => {
    const [sale, other] = [await cash(), await cash()];
    const mug = await createProduct(shop, { name: "Mug" });
    const sold = await createOrder(shop, mug.id, { payWith: "cash", quantity: 2 });
    const locationId = shop.business.locations[0]?.id;
    await selectRows(shop, "update orders set location_id = 'loc_spare' where id = ?", other.id);
    expect(await listOrderIds(`?location_id=${locationId}`)).toEqual([sold.id, sale.id]);
    expect(await listOrderIds("?location_id=loc_spare")).toEqual([other.id]);
    expect(await listOrderIds(`?product_id=${mug.id}`)).toEqual([sold.id]);
    expect(await listOrderIds(`?product_id=${product.id}`)).toEqual([other.id, sale.id]);
    expect(await listOrderIds(`?product_id=${product.id}&location_id=loc_spare`)).toEqual([
      other.id,
    ]);
    const first = await ask("GET", `/orders?product_id=${product.id}&limit=1`);
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const { next_cursor } = dataOf(first).pagination;
    expect(await listOrderIds(`?product_id=${product.id}&limit=1&cursor=${next_cursor}`)).toEqual([
      sale.id,
    ]);
    expect(await listOrderIds("?product_id=prod_unknown")).toEqual([]);
  });

  it("finds the same orders when the words have many hits, the newest first", async () => {
    const createNamed = async (name: string) =>
      (await cash({ customer: { name, phone: "0241234567" } })).id;
    const [ama, both] = [await createNamed("Ama Boateng"), await createNamed("Ama Mensah")];
    const [mensah, none] = [await createNamed("Efua Mensah"), await createNamed("Yaw")];
    for (const [word, id] of Object.entries({ ama, mensah })) {
      await selectRows(
        shop,
        `with recursive numbers (at) as (select 1 union all select at + 1 from numbers where at < 1001)
         insert into order_terms select ?, ? || at, ? from numbers`,
        shop.business.id,
        word,
        id,
      );
    }
    expect(await listOrderIds("?search=AMA")).toEqual([both, ama]);
    expect(await listOrderIds("?search=mensah%20am")).toEqual([both]);
    expect(await listOrderIds("?search=mensah&limit=1")).toEqual([mensah]);
    expect(await listOrderIds("?search=mensah&status=completed")).toEqual([]);
    expect(await listOrderIds("?search=yaw")).toEqual([none]);
    const first = await ask("GET", "/orders?search=ama&limit=1");
    expect(roundTrips(first).d1).toBeLessThanOrEqual(3); // with the key's own look-up
    const { next_cursor: next } = dataOf(first).pagination;
    expect(await listOrderIds(`?search=ama&limit=1&cursor=${next}`)).toEqual([ama]);
  });

  it("searches only the business's own orders", async () => {
    await cash({ customer: { name: "Ama", phone: "0241234567" } });
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    for (const text of ["Ama", "ORD-1001", "0241234567"]) {
      expect(dataOf(await neighbour("GET", `/orders?search=${text}`)).items).toEqual([]);
    }
  });

  const search = parseOrderSearch("ama 1001", { phone: null, numberPrefix: "ORD-" });
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
    [
      "a location",
      { locationId: "loc_1" },
      /orders_by_location \(business_id=\? AND location_id=\?/,
    ],
    [
      "a product",
      { productId: "prod_1" },
      /order_lines_by_product \(business_id=\? AND product_id=\? AND order_id<\?\)/,
    ],
    [
      "a product and a customer",
      { productId: "prod_1", customerId: "cus_ama" },
      /order_lines_by_product \(business_id=\? AND product_id=\? AND order_id<\?\)/,
    ],
    ["a search", { search }, /order_terms.*\(business_id=\? AND term>\? AND term<\?\)/],
  ] as const)("uses an index for %s", async (_, filter, index) => {
    const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
    const orderQueries: [string, unknown[]][] = [];
    const noting = {
      prepare: (query: string) => ({
        bind: (...values: unknown[]) => {
          orderQueries.push([query, values]);
          return d1.prepare(query).bind(...values);
        },
      }),
      batch: d1.batch.bind(d1),
    };
    const db = openDb(noting as unknown as D1Database, createMeter()); // safe: drizzle prepares and binds
    await orderListQuery({ db, business: shop.business }).list(filter, {
      limit: 20,
      before: { createdAt: 5, id: "ord_1" },
    });
    const plans: string[] = [];
    for (const [query, values] of orderQueries) {
      const { results } = await d1
        .prepare(`explain query plan ${query}`)
        .bind(...values)
        .all();
      plans.push(...results.map(({ detail }) => String(detail)));
    }
    expect(orderQueries).toHaveLength("search" in filter ? 9 : 8); // the ids of a search come first
    expect(plans.join("\n")).toMatch(index);
    expect(
      plans.filter((step) => /^SCAN (?!json_each|word|\(subquery|search_size|CONSTANT)/.test(step)),
    ).toEqual([]);
  });
});

describe("an order number in place of the id", () => {
  it("finds the order in any case, also for changes", async () => {
    const sale = await cash();
    const byId = await ask("GET", `/orders/${sale.id}`);
    expect((await ask("GET", `/orders/${sale.number}`)).body).toEqual(byId.body);
    expect((await ask("GET", `/orders/${sale.number.toLowerCase()}`)).body).toEqual(byId.body);
    const moved = await ask("POST", `/orders/${sale.number}/status`, {
      body: { status: "ready" },
    });
    expect(dataOf(moved)).toMatchObject({ id: sale.id, status: "ready" });
    expect((await ask("GET", "/orders/ORD-9999")).status).toBe(404);
  });

  it("does not find another business's order", async () => {
    const sale = await cash();
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    expect((await neighbour("GET", `/orders/${sale.number}`)).status).toBe(404);
  });

  it("finds the business's own order when another business has one with the number", async () => {
    const sale = await cash();
    const other = await createBusinessOnSameShard(shop);
    const own = await createOrder(other, (await createProduct(other)).id, { payWith: "cash" });
    expect(own.number).toBe(sale.number);
    const neighbour = merchant(other);
    expect(dataOf(await neighbour("GET", `/orders/${own.number}`)).id).toBe(own.id);
    expect(dataOf(await ask("GET", `/orders/${sale.number}`)).id).toBe(sale.id);
  });
});
