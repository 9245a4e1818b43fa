import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { uniquePhone } from "../link/create-logins.ts";
import { createDeclinedOrder, createOrder, readStockQuantities } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { logIn } from "../support/sessions.ts";
import {
  type ApiClient,
  createBusiness,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ApiClient;

beforeEach(async () => {
  ({ shop, product, shopper: ask } = await createShopWithStock());
});

const callsOf = (id: string) =>
  [
    ["GET", `/orders/${id}`],
    ["GET", `/orders/${id}/payment-status`],
    ["POST", `/orders/${id}/verify-payment`],
    ["POST", `/orders/${id}/cancel`],
  ] as const;

describe("an order in the session that placed it", () => {
  it("opens to a guest whose checkout was declined", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const read = await ask("GET", `/orders/${id}`);
    expect(read).toMatchObject({
      status: 200,
      body: { data: { id, status: "pending", payment_status: "failed" } },
    });
    expect(roundTrips(read)).toMatchObject({ d1: 1, do: 1 });
    const status = await ask("GET", `/orders/${id}/payment-status`);
    expect(status).toMatchObject({
      status: 200,
      body: { data: { order_id: id, payment_status: "failed", provider_status: "failed" } },
    });
    expect(roundTrips(status)).toMatchObject({ d1: 1, do: 1 });
    expect(await ask("POST", `/orders/${id}/verify-payment`)).toMatchObject({ status: 200 });
  });

  it("can be cancelled there, which releases its stock", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const cancelled = await ask("POST", `/orders/${id}/cancel`, { body: { reason: "Declined" } });
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: "cancelled" } } });
    expect(roundTrips(cancelled)).toMatchObject({ d1: 2, do: 1 });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });

  it("is 404 in another session, with a wrong token and in another business", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const otherShopper = shopper(shop);
    await otherShopper("POST", "/cart/items", { body: { item_id: product.id } });
    const foreign = shopper(await createBusiness());
    for (const [method, path] of callsOf(id)) {
      expect(await otherShopper(method, path)).toMatchObject({ status: 404 });
      expect(await shopper(shop)(method, path)).toMatchObject({ status: 404 });
      expect(await foreign(method, path)).toMatchObject({ status: 404 });
      expect(await ask(method, `${path}?token=bt_wrong`)).toMatchObject({ status: 404 });
    }
    expect(dataOf(await merchant(shop)("GET", `/orders/${id}`)).status).toBe("pending");
  });

  it("stays open after a login there, and is 404 after the logout", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    await logIn(ask, uniquePhone());
    expect(await ask("GET", `/orders/${id}`)).toMatchObject({ status: 200 });
    await ask("POST", "/auth/logout");
    for (const [method, path] of callsOf(id))
      expect(await ask(method, path)).toMatchObject({ status: 404 });
  });

  it("opens a customer's order only while that customer is logged in", async () => {
    const contact = uniquePhone();
    await logIn(ask, contact);
    const { id } = await createOrder(shop, product.id, { payWith: "cash", ask });
    await logIn(ask, uniquePhone());
    for (const [method, path] of callsOf(id))
      expect(await ask(method, path)).toMatchObject({ status: 404 });
    await logIn(ask, contact);
    expect(await ask("GET", `/orders/${id}`)).toMatchObject({ status: 200 });
  });

  it("goes to the customer who logs in there", async () => {
    const id = await createDeclinedOrder(ask, product.id);
    const { customer } = dataOf(await logIn(ask, uniquePhone()));
    const attached = await ask("POST", `/orders/${id}/customer`, {
      body: { customer_id: customer.id },
    });
    expect(attached).toMatchObject({ status: 200, body: { data: { customer_id: customer.id } } });
    expect(roundTrips(attached)).toMatchObject({ d1: 2, do: 1 });
  });
});
