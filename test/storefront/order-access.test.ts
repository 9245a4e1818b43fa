import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { uniquePhone } from "../link/create-logins.ts";
import { createOrder, readStockQuantities } from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
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
  shop = await createBusiness();
  ask = shopper(shop);
  product = await createProduct(shop, { defaultPriceMinor: 2_500, inventoryType: "tracked" });
  await setStock(shop, product, 10);
});

/** Checks out with a phone that is declined; a guest gets the order's id and no token. */
async function createDeclinedOrder(): Promise<string> {
  const cart = dataOf(
    await ask("POST", "/cart/items", { body: { item_id: product.id, quantity: 2 } }),
  );
  const declined = await ask("POST", "/checkout", {
    body: {
      cart_id: cart.id,
      customer: { phone: "0241234567" },
      payment_method: "mobile_money",
      mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
    },
  });
  expect(declined.status).toBe(503);
  return Object(declined.body).error.context.order_id;
}

const callsOf = (id: string) =>
  [
    ["GET", `/orders/${id}`],
    ["GET", `/orders/${id}/payment-status`],
    ["POST", `/orders/${id}/verify-payment`],
    ["POST", `/orders/${id}/cancel`],
  ] as const;

describe("an order in the session that placed it", () => {
  it("opens to a guest whose checkout was declined", async () => {
    const id = await createDeclinedOrder();
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
    const id = await createDeclinedOrder();
    const cancelled = await ask("POST", `/orders/${id}/cancel`, { body: { reason: "Declined" } });
    expect(cancelled).toMatchObject({ status: 200, body: { data: { status: "cancelled" } } });
    expect(roundTrips(cancelled)).toMatchObject({ d1: 2, do: 1 });
    expect(await readStockQuantities(shop, product.id)).toEqual([10, 0]);
  });

  it("is 404 in another session, with a wrong token and in another business", async () => {
    const id = await createDeclinedOrder();
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
    const id = await createDeclinedOrder();
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
    const id = await createDeclinedOrder();
    const { customer } = dataOf(await logIn(ask, uniquePhone()));
    const attached = await ask("POST", `/orders/${id}/customer`, {
      body: { customer_id: customer.id },
    });
    expect(attached).toMatchObject({ status: 200, body: { data: { customer_id: customer.id } } });
    expect(roundTrips(attached)).toMatchObject({ d1: 2, do: 1 });
  });
});
