import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenDeal } from "../support/deals.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { auditedActions } from "../support/traces.ts";
import { merchant, roundTrips, shopper } from "../support/world.ts";
import { givenKey } from "./given.ts";
import { givenShopWithStock, rule } from "./given-orders.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, ask } = await givenShopWithStock());
});

const cash = (fields = {}) => givenSale(shop, product.id, { how: "cash", quantity: 1, fields });

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
