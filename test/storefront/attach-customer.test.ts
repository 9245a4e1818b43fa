import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { emailOf, givenCustomer, phoneOf } from "../support/customers.ts";
import { givenSale, type Sold } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let sold: Sold;
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  sold = await givenSale(shop, (await givenProduct(shop)).id, { how: "cash" });
});

const attach = (body: unknown, token = `?token=${sold.token}`) =>
  ask("POST", `/orders/${sold.id}/customer${token}`, { body });

describe("POST /api/v1/orders/{order_id}/customer", () => {
  it("gives a guest's order to the customer of its contact, and answers the order", async () => {
    const { id } = await givenCustomer(shop, phoneOf("+233241234567"));
    const attached = await attach({ customer_id: id });
    expect(attached).toMatchObject({
      status: 200,
      body: { data: { id: sold.id, customer_id: id } },
    });
    expect(roundTrips(attached).d1).toBe(2);
    expect(await attach({ customer_id: id })).toMatchObject({ status: 200, body: attached.body });
  });

  it("is 404 without the token, or with another", async () => {
    const { id } = await givenCustomer(shop, phoneOf("+233241234567"));
    for (const token of ["", "?token=bt_other"])
      expect(await attach({ customer_id: id }, token)).toMatchObject({
        status: 404,
        body: { error: { message: "No such order." } },
      });
  });

  it("is 403 for a customer of another contact, 404 for none, 409 once it is another's", async () => {
    const owner = await givenCustomer(shop, phoneOf("+233241234567"));
    const other = await givenCustomer(shop, emailOf("kofi@example.com"));
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

  it("gives it to the customer who is logged in, whatever the order's contact", async () => {
    const { customerId } = await loggedInShopper(shop, "kofi@example.com", ask);
    const attached = await attach({ customer_id: customerId });
    expect(attached).toMatchObject({ status: 200, body: { data: { customer_id: customerId } } });
    expect(roundTrips(attached)).toMatchObject({ d1: 2, do: 1 });
    expect(await ask("GET", `/orders/${sold.id}`)).toMatchObject({ status: 200 });
  });

  it("is 403 for another than the one who is logged in", async () => {
    const other = await givenCustomer(shop, emailOf("efua@example.com"));
    await loggedInShopper(shop, "kofi@example.com", ask);
    expect(await attach({ customer_id: other.id })).toMatchObject({ status: 403 });
  });

  it("is 403 by the cookie of before a logout", async () => {
    const { customerId, cookie } = await loggedInShopper(shop, "kofi@example.com", ask);
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
