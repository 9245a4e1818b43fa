import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder } from "../support/create-order.ts";
import { createShopWithStock, ruleViolation } from "../support/create-shop-with-stock.ts";
import { listAuditActions } from "../support/row-counts.ts";
import {
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const cash = (fields = {}) =>
  createOrder(shop, product.id, { payWith: "cash", quantity: 1, fields });

describe("POST /orders/{order_id}/cancel", () => {
  it("cancels an order as the business, with history and audit entries", async () => {
    const sale = await cash();
    const answer = await ask("POST", `/orders/${sale.id}/cancel`, { body: { reason: "Sold out" } });
    expect(dataOf(answer)).toMatchObject({
      status: "cancelled",
      cancellation_reason: "Sold out",
      status_history: [{ by: "customer" }, { status: "cancelled", by: "business" }],
    });
    expect(await listAuditActions(shop)).toContain("order.cancelled");
    expect(await ask("POST", `/orders/${sale.id}/cancel`)).toMatchObject(
      ruleViolation("ORDER_NOT_CANCELLABLE"),
    );
  });
});

describe("GET /orders/{order_id}", () => {
  it("returns contacts, notes, metadata, payment and price parts to the business", async () => {
    await createDeal(shop);
    vi.setSystemTime(Date.now() + 6_000);
    const sale = await createOrder(shop, product.id, {
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
    for (const field of ["customer_email", "customer_phone", "metadata", "payment"]) {
      expect(shown).not.toHaveProperty(field);
    }
  });

  it("is 404 for another business's order, on every order route", async () => {
    const neighbour = merchant(await createBusinessOnSameShard(shop));
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

  it("requires the scope", async () => {
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["orders:read"] }) };
    const { id } = await cash();
    expect((await ask("GET", "/orders", { headers })).status).toBe(200);
    for (const call of [`/orders/${id}/cancel`, `/orders/${id}/refunds`]) {
      expect((await ask("POST", call, { body: {}, headers })).status).toBe(403);
    }
  });
});
