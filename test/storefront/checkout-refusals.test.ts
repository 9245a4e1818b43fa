import { describe, expect, it } from "vitest";
import { dataOf } from "../support/orders.ts";
import { givenSettings } from "../support/settings.ts";
import { shopper } from "../support/world.ts";
import { breadShop, cash } from "./bread-shop.ts";

const { shop, ask, filledCart, checkout, stock, ordersOf } = breadShop();

describe("POST /checkout refuses", () => {
  it.each([
    { what: "no contact", fields: { customer: { name: "Ama" } }, field: "customer.email" },
    { what: "a broken e-mail", fields: { customer: { email: "ama@" } }, field: "customer.email" },
    { what: "a broken phone", fields: { customer: { phone: "12" } }, field: "customer.phone" },
    { what: "an empty payment method", fields: { payment_method: "" }, field: "payment_method" },
    {
      what: "an unknown payment method",
      fields: { payment_method: "shells" },
      field: "payment_method",
    },
    {
      what: "mobile money without details",
      fields: { payment_method: "mobile_money" },
      field: "mobile_money_details",
    },
    {
      what: "an unknown provider",
      fields: {
        payment_method: "mobile_money",
        mobile_money_details: { phone_number: "0241234567", provider: "acme" },
      },
      field: "mobile_money_details.provider",
    },
    { what: "an unknown order type", fields: { order_type: "teleport" }, field: "order_type" },
    {
      what: "metadata nested beyond reason",
      fields: { metadata: { a: JSON.parse(`${"[".repeat(4_000)}${"]".repeat(4_000)}`) } },
      field: "metadata",
    },
    {
      what: "metadata of more values than a call has room for",
      fields: { metadata: { a: Array.from({ length: 200_000 }, () => "") } },
      field: "metadata",
    },
    {
      what: "a control character in an address",
      fields: { address_info: { street_address: "x\u0000y" } },
      field: "address_info",
    },
    {
      what: "two different keys",
      fields: { idempotency_key: "another" },
      field: "idempotency_key",
    },
  ])("$what, naming the field, and leaves nothing behind", async ({ fields, field }) => {
    const cartId = await filledCart(ask);
    expect(await checkout(cash(cartId, fields), "one-key")).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect(await ordersOf()).toEqual([]);
    expect(await ask("GET", "/cart")).toMatchObject({
      body: { data: { id: cartId, item_count: 2 } },
    });
  });

  it("an empty cart, an unknown one and another session's", async () => {
    const { id } = dataOf(await ask("GET", "/cart"));
    expect(await checkout(cash(id))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "CART_EMPTY" } } },
    });
    expect(await checkout(cash("cart_unknown"))).toMatchObject({ status: 404 });
    const cartId = await filledCart(shopper(shop()));
    expect(await checkout(cash(cartId))).toMatchObject({ status: 404 });
  });

  it("a method that the business does not offer", async () => {
    await givenSettings(shop(), { paymentMethods: ["cash", "mobile_money"] });
    const cartId = await filledCart(ask);
    expect(await checkout(cash(cartId, { payment_method: "card" }))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PAYMENT_METHOD_UNAVAILABLE" } } },
    });
  });

  it("what was sold out meanwhile, and leaves nothing behind", async () => {
    const cartId = await filledCart(ask, 6);
    const other = shopper(shop());
    await other("POST", "/checkout", { body: cash(await filledCart(other, 6)) });
    expect(await checkout(cash(cartId))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available: 4 } } },
    });
    expect(await ordersOf()).toHaveLength(1);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 6 });
    expect(await ask("GET", "/cart")).toMatchObject({
      body: { data: { id: cartId, item_count: 6 } },
    });
  });
});
