import { describe, expect, it } from "vitest";
import { changeSettings } from "../support/settings.ts";
import { dataOf, shopper } from "../support/world.ts";
import { cashCheckout, setUpBreadShop } from "./create-bread-shop.ts";

const { shop, ask, createCart, checkout, stock, ordersOf } = setUpBreadShop();

describe("POST /checkout rejects", () => {
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
  ])("$what, names the field and changes nothing", async ({ fields, field }) => {
    const cartId = await createCart(ask);
    expect(await checkout(cashCheckout(cartId, fields), "one-key")).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect(await ordersOf()).toEqual([]);
    expect(await ask("GET", "/cart")).toMatchObject({
      body: { data: { id: cartId, item_count: 2 } },
    });
  });

  it("an empty cart, an unknown cart and the cart of another session", async () => {
    const { id } = dataOf(await ask("GET", "/cart"));
    expect(await checkout(cashCheckout(id))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "CART_EMPTY" } } },
    });
    expect(await checkout(cashCheckout("cart_unknown"))).toMatchObject({ status: 404 });
    const cartId = await createCart(shopper(shop()));
    expect(await checkout(cashCheckout(cartId))).toMatchObject({ status: 404 });
  });

  it("a method that the business does not offer", async () => {
    await changeSettings(shop(), { paymentMethods: ["cash", "mobile_money"] });
    const cartId = await createCart(ask);
    expect(await checkout(cashCheckout(cartId, { payment_method: "card" }))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PAYMENT_METHOD_UNAVAILABLE" } } },
    });
  });

  it("items that were sold out meanwhile, and changes nothing", async () => {
    const cartId = await createCart(ask, 6);
    const other = shopper(shop());
    await other("POST", "/checkout", { body: cashCheckout(await createCart(other, 6)) });
    expect(await checkout(cashCheckout(cartId))).toMatchObject({
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
