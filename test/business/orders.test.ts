import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { newMeter } from "../../shared/kernel/index.ts";
import { orderListRepo, orderSearch } from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenDeal } from "../support/deals.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenBack, givenSale, piecesOf, type Sold } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { auditedActions } from "../support/traces.ts";
import { givenBusiness, merchant, roundTrips, shopper } from "../support/world.ts";
import { givenKey } from "./given.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = merchant(shop);
  product = await givenProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await givenStock(shop, product, 10);
});

const move = ({ id }: Pick<Sold, "id">, status: string, headers = {}) =>
  ask("POST", `/orders/${id}/status`, { body: { status }, headers });
const cash = (fields = {}) => givenSale(shop, product.id, { how: "cash", quantity: 1, fields });
const rule = (name: string) => ({ status: 422, body: { error: { context: { rule: name } } } });

describe("POST /orders/{order_id}/status", () => {
  it("moves an order on, steps skipped or not, with events, history and audit", async () => {
    const sale = await cash();
    await ask("GET", `/orders/${sale.id}`); // the key is known from here on
    for (const status of ["confirmed", "ready", "completed"]) {
      const answer = await move(sale, status);
      expect(answer).toMatchObject({ status: 200, body: { data: { status } } });
      expect(roundTrips(answer).d1).toBe(2);
    }
    const read = dataOf(await ask("GET", `/orders/${sale.id}`));
    expect(
      read.status_history.map(({ status, by }: { status: string; by: string }) => [status, by]),
    ).toEqual([
      ["pending", "customer"],
      ["confirmed", "business"],
      ["ready", "business"],
      ["completed", "business"],
    ]);
    expect(await eventsOf(shop)).toEqual([
      "order.created",
      "order.updated",
      "order.updated",
      "order.completed",
    ]);
    expect(
      (await auditedActions(shop)).filter((action) => action === "order.status_changed"),
    ).toHaveLength(3);
  });

  it.each([
    ["completed", "cancelled"],
    ["completed", "ready"],
    ["ready", "preparing"],
    ["confirmed", "pending"],
    ["confirmed", "confirmed"],
  ])("refuses %s to %s", async (from, to) => {
    const sale = await cash();
    await move(sale, from);
    expect(await move(sale, to)).toMatchObject(rule("INVALID_STATE"));
    expect(dataOf(await ask("GET", `/orders/${sale.id}`)).status).toBe(from);
  });

  it("takes the pieces of a completed order out of the stock", async () => {
    const sale = await givenSale(shop, product.id, { how: "cash", quantity: 3 });
    expect(await piecesOf(shop, product.id)).toEqual([10, 3]);
    await move(sale, "completed");
    expect(await piecesOf(shop, product.id)).toEqual([7, 0]);
  });

  it("cancels with everything that belongs to it", async () => {
    const sale = await givenSale(shop, product.id);
    expect(await move(sale, "cancelled")).toMatchObject({
      status: 200,
      body: { data: { status: "cancelled", payment_status: "refunded" } },
    });
    expect(await givenBack(shop, sale)).toBe(5_000);
    expect(await piecesOf(shop, product.id)).toEqual([10, 0]);
  });

  it("completes once, however many say so at once", async () => {
    const sale = await cash();
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(sale, "completed")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    expect(await piecesOf(shop, product.id)).toEqual([9, 0]);
  });

  it("answers a repeat under the same key, also when the first answer was never kept", async () => {
    const sale = await cash();
    const key = { "Idempotency-Key": "k" };
    const first = await move(sale, "confirmed", key);
    expect((await move(sale, "confirmed", key)).body).toEqual(first.body);
    await rowsOf(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await move(sale, "confirmed", key)).toMatchObject({ status: 200, body: first.body });
  });

  it("leaves a provider's payment its 30 minutes, until the order is completed", async () => {
    const sale = await givenSale(shop, product.id, { how: "1" });
    const expiry = async () =>
      (await rowsOf(shop, "select expires_at from orders where id = ?", sale.id))[0]?.expires_at;
    const before = await expiry();
    expect(before).toEqual(expect.any(Number));
    await move(sale, "preparing");
    expect(await expiry()).toBe(before);
    await move(sale, "completed");
    expect(await expiry()).toBeNull();
  });
});

describe("an unpaid order that was moved on", () => {
  it("makes way for another checkout of its cart", async () => {
    const buyer = shopper(shop);
    const added = await buyer("POST", "/cart/items", {
      body: { item_id: product.id, quantity: 2 },
    });
    const checkout = (lastDigit: string) =>
      buyer("POST", "/checkout", {
        body: {
          cart_id: dataOf(added).id,
          customer: { phone: "0241234567" },
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
        },
        headers: { "Idempotency-Key": `key-${lastDigit}` },
      });
    const ordersNow = async () => dataOf(await ask("GET", "/orders")).items;
    expect((await checkout("3")).status).toBe(503);
    await move((await ordersNow())[0], "confirmed");
    expect((await checkout("0")).status).toBe(200);
    expect(await ordersNow()).toMatchObject([
      { status: "confirmed", payment_status: "succeeded" },
      { status: "cancelled", payment_status: "cancelled" },
    ]);
    expect(await piecesOf(shop, product.id)).toEqual([10, 2]);
  });
});

describe("an Idempotency-Key", () => {
  const key = { "Idempotency-Key": "order-77" };
  const forget = () =>
    rowsOf(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);

  it("used at another route of the order is another key", async () => {
    const sale = await givenSale(shop, product.id);
    expect((await move(sale, "preparing", key)).status).toBe(200);
    expect(await refund(sale, { amount: "10.00" })).toMatchObject({ status: 201 });
    expect(
      dataOf(await ask("POST", `/orders/${sale.id}/cancel`, { body: {}, headers: key })),
    ).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    expect(await givenBack(shop, sale)).toBe(5_000);
  });

  it("with another body is 409, also when the first answer was never kept", async () => {
    const sale = await givenSale(shop, product.id);
    const conflict = { status: 409, body: { error: { code: "CONFLICT", retryable: false } } };
    expect((await move(sale, "preparing", key)).status).toBe(200);
    expect((await refund(sale, { amount: "10.00" })).status).toBe(201);
    await forget();
    expect(await move(sale, "ready", key)).toMatchObject(conflict);
    expect(await refund(sale, { amount: "11.00" })).toMatchObject(conflict);
    expect(await givenBack(shop, sale)).toBe(1_000);
  });

  it("is free again after 24 hours", async () => {
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
    const sale = await givenSale(shop, product.id);
    await refund(sale, { amount: "10.00" });
    vi.setSystemTime(Date.parse("2030-01-01T23:59:59Z"));
    await forget();
    await refund(sale, { amount: "10.00" });
    expect(await givenBack(shop, sale)).toBe(1_000);
    vi.setSystemTime(Date.parse("2030-01-02T00:00:00Z"));
    await forget();
    const answer = await refund(sale, { amount: "10.00" });
    expect(answer.status).toBe(201);
    expect(await givenBack(shop, sale)).toBe(2_000);
    await forget();
    expect((await refund(sale, { amount: "10.00" })).body).toEqual(answer.body);
    expect(await givenBack(shop, sale)).toBe(2_000);
  });

  const refund = ({ id }: Sold, body: object) =>
    ask("POST", `/orders/${id}/refunds`, { body, headers: key });
});

describe("POST /orders/{order_id}/cancel", () => {
  it("cancels for the business, which the history and the audit tell", async () => {
    const sale = await cash();
    const answer = await ask("POST", `/orders/${sale.id}/cancel`, { body: { reason: "Sold out" } });
    expect(dataOf(answer)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "Sold out",
      status_history: [{ by: "customer" }, { status: "cancelled", by: "business" }],
    });
    expect(await auditedActions(shop)).toContain("order.cancelled");
    expect(await ask("POST", `/orders/${sale.id}/cancel`)).toMatchObject(
      rule("ORDER_NOT_CANCELLABLE"),
    );
  });
});

describe("POST /orders/{order_id}/payments/mark-paid", () => {
  const markPaid = ({ id }: Sold, body = {}) =>
    ask("POST", `/orders/${id}/payments/mark-paid`, { body: { method: "cash", ...body } });

  it("settles the cash, confirms the order and tells so", async () => {
    const sale = await cash();
    const answer = await markPaid(sale, { reference: "till 4" });
    expect(dataOf(answer)).toMatchObject({
      status: "confirmed",
      payment_status: "succeeded",
      payment: {
        id: sale.paymentId,
        provider: "cash",
        status: "succeeded",
        settled_at: expect.stringMatching(/Z$/),
        receipt: { method: "cash", reference: "till 4" },
      },
    });
    expect(await eventsOf(shop)).toEqual(["order.created", "payment.completed", "order.updated"]);
    expect(await auditedActions(shop)).toContain("order.marked_paid");
  });

  it("is the same success when it is said again, and refuses another story", async () => {
    const sale = await cash();
    await Promise.all([markPaid(sale), markPaid(sale), markPaid(sale)]);
    expect(await markPaid(sale)).toMatchObject({ status: 200 });
    expect(await markPaid(sale, { reference: "other" })).toMatchObject(rule("INVALID_STATE"));
    expect((await eventsOf(shop)).filter((type) => type === "payment.completed")).toHaveLength(1);
  });

  it("refuses a provider's payment, and an order that is cancelled", async () => {
    const sale = await givenSale(shop, product.id, { how: "1" });
    expect(await markPaid(sale)).toMatchObject(rule("INVALID_STATE"));
    const gone = await cash();
    await ask("POST", `/orders/${gone.id}/cancel`);
    expect(await markPaid(gone)).toMatchObject(rule("INVALID_STATE"));
  });

  it("leaves a completed order completed", async () => {
    const sale = await cash();
    await move(sale, "completed");
    expect(dataOf(await markPaid(sale))).toMatchObject({
      status: "completed",
      payment_status: "succeeded",
    });
  });
});

describe("GET /orders/{order_id}", () => {
  it("shows the business more than the shopper: contacts, notes, metadata, payment, reasons of prices", async () => {
    await givenDeal(shop);
    vi.setSystemTime(Date.now() + 6_000);
    const sale = await givenSale(shop, product.id, {
      quantity: 1,
      fields: {
        customer: { name: "Ama", email: "Ama@Example.com", phone: "0241234567", notes: "Ring" },
        metadata: { table: 4 },
      },
    });
    const answer = await ask("GET", `/orders/${sale.id}`);
    expect(dataOf(answer)).toMatchObject({
      order_number: sale.number,
      customer_email: "ama@example.com",
      customer_phone: "+233241234567",
      customer_notes: "Ring",
      metadata: { table: 4 },
      items: [{ unit_price: "25.00", price_parts: [{ amount: "25.00" }] }],
      discount_total: "2.50",
      discounts: [{ name: "Ten percent", code: null, amount: "2.50" }],
      payment: { provider: "sandbox", method: "mobile_money", status: "succeeded", refunds: [] },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
    const shown = dataOf(await shopper(shop)("GET", `/orders/${sale.id}?token=${sale.token}`));
    for (const field of ["customer_email", "customer_phone", "metadata", "payment", "discounts"]) {
      expect(shown).not.toHaveProperty(field);
    }
  });

  it("does not find another business's order, for any of its calls", async () => {
    const neighbour = merchant(await givenNeighbour(shop));
    const { id } = await cash();
    const refusals = [
      await neighbour("GET", `/orders/${id}`),
      await neighbour("POST", `/orders/${id}/status`, { body: { status: "confirmed" } }),
      await neighbour("POST", `/orders/${id}/cancel`),
      await neighbour("POST", `/orders/${id}/refunds`, { body: {} }),
      await neighbour("POST", `/orders/${id}/payments/mark-paid`, { body: {} }),
      await ask("GET", "/orders/ord_none"),
    ];
    for (const { status, body } of refusals) {
      expect({ status, body }).toEqual({ status: 404, body: refusals[0]?.body });
    }
  });

  it("takes a key with the scope", async () => {
    const headers = { "X-API-Key": await givenKey(shop, { scopes: ["orders:read"] }) };
    const { id } = await cash();
    expect((await ask("GET", "/orders", { headers })).status).toBe(200);
    for (const call of [`/orders/${id}/cancel`, `/orders/${id}/refunds`]) {
      expect((await ask("POST", call, { body: {}, headers })).status).toBe(403);
    }
  });
});

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
    const meter = newMeter();
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
    await move(done, "completed");
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
    ["everything", {}, /orders_newest \(business_id=\?\)/],
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
    const db = openDb(noting as unknown as D1Database, newMeter()); // safe: drizzle prepares and binds
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
