import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  createOrder,
  type PlacedOrder,
  readRefundedMinor,
  readStockQuantities,
} from "../support/create-order.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { dataOf, type merchant, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const move = ({ id }: Pick<PlacedOrder, "id">, status: string, headers = {}) =>
  ask("POST", `/orders/${id}/status`, { body: { status }, headers });
const cash = (fields = {}) =>
  createOrder(shop, product.id, { payWith: "cash", quantity: 1, fields });

describe("POST /orders/{order_id}/status", () => {
  it("changes the status, also skipping steps, with events, history and audit", async () => {
    const sale = await cash();
    await ask("GET", `/orders/${sale.id}`); // caches the key
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
    expect(await listOutboxEventTypes(shop)).toEqual([
      "order.created",
      "order.updated",
      "order.updated",
      "order.completed",
    ]);
    expect(
      (await listAuditActions(shop)).filter((action) => action === "order.status_changed"),
    ).toHaveLength(3);
  });

  it.each([
    ["completed", "cancelled"],
    ["completed", "ready"],
    ["ready", "preparing"],
    ["confirmed", "pending"],
    ["confirmed", "confirmed"],
  ])("rejects %s to %s", async (from, to) => {
    const sale = await cash();
    await move(sale, from);
    expect(await move(sale, to)).toMatchObject(ruleViolation("INVALID_STATE"));
    expect(dataOf(await ask("GET", `/orders/${sale.id}`)).status).toBe(from);
  });

  it("takes the items of a completed order out of stock", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "cash", quantity: 3 });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 3]);
    await move(sale, "completed");
    expect(await readStockQuantities(shop, product.id)).toEqual([7, 0]);
  });

  it("cancels the order with its stock, payment and bookings", async () => {
    const sale = await createOrder(shop, product.id);
    expect(await move(sale, "cancelled")).toMatchObject({
      status: 200,
      body: { data: { status: "cancelled", payment_status: "refunded" } },
    });
    expect(await readRefundedMinor(shop, sale)).toBe(5_000);
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });

  it("completes once under concurrent requests", async () => {
    const sale = await cash();
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(sale, "completed")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
    expect(await readStockQuantities(shop, product.id)).toEqual([9, 0]);
  });

  it("replays a repeat under the same key, also when the first response was not stored", async () => {
    const sale = await cash();
    const key = { "Idempotency-Key": "k" };
    const first = await move(sale, "confirmed", key);
    expect((await move(sale, "confirmed", key)).body).toEqual(first.body);
    await selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);
    expect(await move(sale, "confirmed", key)).toMatchObject({ status: 200, body: first.body });
  });

  it("keeps the 30 minutes of a provider's payment until the order is completed", async () => {
    const sale = await createOrder(shop, product.id, { payWith: "1" });
    const expiry = async () =>
      (await selectRows(shop, "select expires_at from orders where id = ?", sale.id))[0]
        ?.expires_at;
    const before = await expiry();
    expect(before).toEqual(expect.any(Number));
    await move(sale, "preparing");
    expect(await expiry()).toBe(before);
    await move(sale, "completed");
    expect(await expiry()).toBeNull();
  });
});

describe("an unpaid order with a changed status", () => {
  it("is replaced by another checkout of its cart", async () => {
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
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 2]);
  });
});
