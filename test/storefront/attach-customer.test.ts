import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCustomer, emailContact, phoneContact } from "../support/create-customer.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let sold: PlacedOrder;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  sold = await createOrder(shop, (await createProduct(shop)).id, { payWith: "cash" });
});

const attach = (body: unknown, token = `?token=${sold.token}`) =>
  ask("POST", `/orders/${sold.id}/customer${token}`, { body });

describe("POST /api/v1/orders/{order_id}/customer", () => {
  it("assigns a guest's order to the customer with its contact", async () => {
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    const attached = await attach({ customer_id: id });
    expect(attached).toMatchObject({
      status: 200,
      body: { data: { id: sold.id, customer_id: id } },
    });
    expect(roundTrips(attached).d1).toBe(2);
    expect(await attach({ customer_id: id })).toMatchObject({ status: 200, body: attached.body });
  });

  it("is 404 without the token or with another", async () => {
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    for (const token of ["", "?token=bt_other"])
      expect(await attach({ customer_id: id }, token)).toMatchObject({
        status: 404,
        body: { error: { message: "No such order." } },
      });
  });

  it("is 403 for another contact, 404 for an unknown customer, 409 when it belongs to another", async () => {
    const owner = await createCustomer(shop, phoneContact("+233241234567"));
    const other = await createCustomer(shop, emailContact("kofi@example.com"));
    expect(await attach({ customer_id: other.id })).toMatchObject({
      status: 403,
      body: { error: { code: "FORBIDDEN", retryable: false } },
    });
    expect(await attach({ customer_id: "cus_none" })).toMatchObject({
      status: 404,
      body: { error: { message: "No such customer." } },
    });
    await attach({ customer_id: owner.id });
    expect(await attach({ customer_id: other.id })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT", retryable: false } },
    });
  });

  it("assigns it with any contact to the logged-in customer", async () => {
    const { customerId } = await createLoggedInShopper(shop, "kofi@example.com", ask);
    const attached = await attach({ customer_id: customerId });
    expect(attached).toMatchObject({ status: 200, body: { data: { customer_id: customerId } } });
    expect(roundTrips(attached)).toMatchObject({ d1: 2, do: 1 });
    expect(await ask("GET", `/orders/${sold.id}`)).toMatchObject({ status: 200 });
  });

  it("is 403 for a customer other than the logged-in one", async () => {
    const other = await createCustomer(shop, emailContact("efua@example.com"));
    await createLoggedInShopper(shop, "kofi@example.com", ask);
    expect(await attach({ customer_id: other.id })).toMatchObject({ status: 403 });
  });

  it("is 403 with a cookie from before a logout", async () => {
    const { customerId, cookie } = await createLoggedInShopper(shop, "kofi@example.com", ask);
    await ask("POST", "/auth/logout");
    ask = shopper(shop, cookie);
    expect(await attach({ customer_id: customerId })).toMatchObject({ status: 403 });
  });

  it("is 400 without a customer_id", async () => {
    expect(await attach({})).toMatchObject({
      status: 400,
      body: { error: { context: { field: "customer_id" } } },
    });
  });
});
