import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenSettings } from "../support/settings.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { type Answer, givenBusiness, roundTrips, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let product: Product;

beforeEach(async () => {
  shop = await givenBusiness();
  ask = shopper(shop);
  product = await givenProduct(shop, {
    name: "Bread",
    defaultPriceMinor: 2_500,
    inventoryType: "tracked",
  });
  await givenStock(shop, product, 10);
});

const dataOf = ({ body }: Answer) => Object(body).data;

async function filledCart(caller: typeof ask, quantity = 2): Promise<string> {
  return dataOf(await caller("POST", "/cart/items", { body: { item_id: product.id, quantity } }))
    .id;
}

const cash = (cartId: string, fields = {}) => ({
  cart_id: cartId,
  customer: { name: "Ama Serwaa", email: "Ama@Example.com" },
  payment_method: "cash",
  ...fields,
});

const mobileMoney = (cartId: string, phone: string) =>
  cash(cartId, {
    payment_method: "mobile_money",
    mobile_money_details: { phone_number: phone, provider: "MTN MoMo" },
  });

const checkout = (body: unknown, key?: string) =>
  ask("POST", "/checkout", {
    body,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

const stock = async () => {
  const [row] = await rowsOf(
    shop,
    "select quantity_on_hand, quantity_reserved from stock_levels where item_id = ?",
    product.id,
  );
  return row;
};

const ordersOf = () => rowsOf(shop, "select * from orders where business_id = ?", shop.business.id);

describe("POST /checkout with cash", () => {
  it("makes an order, reserves its stock, records its event and gives a fresh cart", async () => {
    const cartId = await filledCart(ask);
    const answer = await checkout(
      cash(cartId, { order_type: "dine_in", address_info: { city: "Kumasi" } }),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          order_id: expect.stringMatching(/^ord_/),
          order_number: "ORD-1001",
          bill_token: expect.stringMatching(/^bt_[0-9a-f]{40}$/),
          payment_id: expect.stringMatching(/^pt_/),
          payment_reference: expect.stringMatching(/^ref_/),
          payment_status: "pending",
          requires_authorization: false,
          next_action: { type: "none" },
        },
      },
    });
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await eventsOf(shop)).toEqual(["order.created"]);
    const [event] = await rowsOf(
      shop,
      "select data from events where business_id = ?",
      shop.business.id,
    );
    expect(JSON.parse(String(event?.data))).toEqual({
      id: dataOf(answer).order_id,
      order_id: dataOf(answer).order_id,
      order_number: "ORD-1001",
      status: "pending",
      total_price: "50.00",
      currency: "GHS",
      customer_id: null,
      item_count: 2,
    });
    const cart = dataOf(await ask("GET", "/cart"));
    expect(cart.items).toEqual([]);
    expect(cart.id).not.toBe(cartId);
  });

  it("lets the bill_token read the order, and nothing else", async () => {
    const { order_id, bill_token } = dataOf(await checkout(cash(await filledCart(ask))));
    const read = (query: string) => ask("GET", `/orders/${order_id}${query}`);
    const order = await read(`?token=${bill_token}`);
    expect(order).toMatchObject({
      status: 200,
      body: {
        data: {
          id: order_id,
          status: "pending",
          order_type: "delivery",
          payment_status: "pending",
          payment_method: "cash",
          subtotal: "50.00",
          discount_total: "0.00",
          tax_amount: "0.00",
          total_price: "50.00",
          customer_name: "Ama Serwaa",
          items: [
            {
              product_id: product.id,
              product_name: "Bread",
              quantity: 2,
              unit_price: "25.00",
              total: "50.00",
            },
          ],
          status_history: [{ status: "pending", by: "customer" }],
        },
      },
    });
    expect(roundTrips(order)).toMatchObject({ d1: 1, do: 0 });
    const refusals = await Promise.all([
      read(""),
      read("?token=bt_wrong"),
      ask("GET", `/orders/ord_none?token=${bill_token}`),
    ]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, body: refusals[0]?.body });
    }
    const foreign = await givenBusiness();
    expect(await shopper(foreign)("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      status: 404,
    });
  });

  it("numbers orders one after the other", async () => {
    const numbers: string[] = [];
    for (let sale = 0; sale < 3; sale += 1) {
      numbers.push(dataOf(await checkout(cash(await filledCart(ask, 1)))).order_number);
    }
    expect(numbers).toEqual(["ORD-1001", "ORD-1002", "ORD-1003"]);
  });

  it("charges tax once on the subtotal, added or contained", async () => {
    const { givenTax } = await import("../support/tax.ts");
    await givenTax(shop, { ratePercent: "12.5", isInclusive: false });
    const { order_id, bill_token } = dataOf(await checkout(cash(await filledCart(ask))));
    expect(await ask("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      body: { data: { subtotal: "50.00", tax_amount: "6.25", total_price: "56.25" } },
    });
  });

  it("stays within its round trips", async () => {
    const cartId = await filledCart(ask);
    const answer = await checkout(cash(cartId));
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(roundTrips(answer).do).toBe(1);
  });
});

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
    const cartId = await filledCart(shopper(shop));
    expect(await checkout(cash(cartId))).toMatchObject({ status: 404 });
  });

  it("a method that the business does not offer", async () => {
    await givenSettings(shop, { paymentMethods: ["cash", "mobile_money"] });
    const cartId = await filledCart(ask);
    expect(await checkout(cash(cartId, { payment_method: "card" }))).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "PAYMENT_METHOD_UNAVAILABLE" } } },
    });
  });

  it("what was sold out meanwhile, and leaves nothing behind", async () => {
    const cartId = await filledCart(ask, 6);
    const other = shopper(shop);
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

describe("POST /checkout with an Idempotency-Key", () => {
  it("answers a repeat byte for byte, and sells once", async () => {
    const cartId = await filledCart(ask);
    const first = await checkout(cash(cartId), "key-1");
    const again = await checkout(cash(cartId), "key-1");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await ordersOf()).toHaveLength(1);
  });

  it("takes the body's idempotency_key for the header's", async () => {
    const cartId = await filledCart(ask);
    const first = await checkout(cash(cartId, { idempotency_key: "key-2" }));
    const again = await checkout(cash(cartId), "key-2");
    expect(again.body).toEqual(first.body);
  });

  it("refuses another body", async () => {
    const cartId = await filledCart(ask);
    await checkout(cash(cartId), "key-3");
    expect(await checkout(cash(cartId, { order_type: "pickup" }), "key-3")).toMatchObject({
      status: 409,
    });
  });

  it("runs one of many at once: the same key sells once, another key waits or finds the cart gone", async () => {
    const cartId = await filledCart(ask);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => checkout(cash(cartId), "key-4")),
      ...Array.from({ length: 5 }, (_, index) => checkout(cash(cartId), `other-${index}`)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).not.toHaveLength(0);
    expect(answers.every(({ status }) => [200, 404, 409].includes(status))).toBe(true);
    expect(await ordersOf()).toHaveLength(1);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await eventsOf(shop)).toEqual(["order.created"]);
  });
});

describe("POST /checkout with sandbox mobile money", () => {
  it("captures at once, and the payment confirms the order", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "024 123 4560")));
    expect(result).toMatchObject({
      payment_status: "captured",
      provider: "sandbox",
      next_action: { type: "none" },
    });
    expect(await ask("GET", `/orders/${result.order_id}?token=${result.bill_token}`)).toMatchObject(
      {
        body: {
          data: {
            status: "confirmed",
            payment_status: "succeeded",
            status_history: [{ status: "pending" }, { status: "confirmed" }],
          },
        },
      },
    );
    expect(
      await ask("GET", `/orders/${result.order_id}/payment-status?token=${result.bill_token}`),
    ).toMatchObject({
      body: {
        data: {
          order_id: result.order_id,
          payment_status: "succeeded",
          payment_reference: result.payment_reference,
          amount: "50.00",
          currency: "GHS",
          settled_at: expect.stringMatching(/Z$/),
        },
      },
    });
    expect((await eventsOf(shop)).sort()).toEqual([
      "order.created",
      "order.updated",
      "payment.completed",
    ]);
  });

  it("asks for a one-time code, takes the right one, and is done", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "0241234561")));
    expect(result).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: true,
      authorization_type: "otp",
      next_action: {
        type: "authorization",
        authorization_type: "otp",
        display_text: expect.any(String),
      },
    });
    const authorize = (value: string, caller = ask) =>
      caller("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value } },
      });
    expect(await authorize("000000")).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AUTHORIZATION_FAILED", attempts_left: 2 } } },
    });
    expect(await authorize("123456", shopper(shop))).toMatchObject({ status: 404 });
    const authorized = await authorize("123456");
    expect(authorized).toMatchObject({
      status: 200,
      body: {
        data: {
          order_id: result.order_id,
          payment_status: "captured",
          requires_authorization: false,
          next_action: { type: "none" },
        },
      },
    });
    expect(roundTrips(authorized).d1).toBeLessThanOrEqual(2);
    expect(await authorize("123456")).toMatchObject({
      body: { data: { payment_status: "captured" } },
    });
    expect((await eventsOf(shop)).filter((type) => type === "payment.completed")).toHaveLength(1);
  });

  it("fails the payment at the third wrong code", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "0241234561")));
    for (let tries = 0; tries < 3; tries += 1) {
      await ask("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value: "111111" } },
      });
    }
    expect(
      await ask("GET", `/orders/${result.order_id}/payment-status?token=${result.bill_token}`),
    ).toMatchObject({
      body: { data: { payment_status: "failed" } },
    });
  });

  it("stays failed after three wrong codes: asking the provider opens no further tries", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "0241234561")));
    const authorize = (value: string) =>
      ask("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value } },
      });
    for (const value of ["111111", "222222", "333333"]) await authorize(value);
    const verified = await ask(
      "POST",
      `/orders/${result.order_id}/verify-payment?token=${result.bill_token}`,
    );
    expect(verified).toMatchObject({ body: { data: { payment_status: "failed" } } });
    expect(await authorize("123456")).toMatchObject({
      body: { data: { payment_status: "failed" } },
    });
  });

  it("waits for the phone, and verify-payment settles it", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "0241234562")));
    expect(result).toMatchObject({ payment_status: "processing", next_action: { type: "await" } });
    const verify = () =>
      ask("POST", `/orders/${result.order_id}/verify-payment?token=${result.bill_token}`);
    expect(await verify()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "succeeded" } },
    });
    expect(await verify()).toMatchObject({ body: { data: { payment_status: "succeeded" } } });
  });

  it("does not take the cancellation of an order for the phone's yes", async () => {
    const result = dataOf(await checkout(mobileMoney(await filledCart(ask), "0241234562")));
    const cancelled = await ask(
      "POST",
      `/orders/${result.order_id}/cancel?token=${result.bill_token}`,
      { body: {} },
    );
    expect(dataOf(cancelled)).toMatchObject({ status: "cancelled", payment_status: "cancelled" });
  });

  it("keeps one pending order when the provider declines, and charges that one again", async () => {
    const cartId = await filledCart(ask);
    expect(await checkout(mobileMoney(cartId, "0241234563"), "declined")).toMatchObject({
      status: 503,
      body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
    });
    expect(await checkout(mobileMoney(cartId, "0241234563"), "declined")).toMatchObject({
      status: 503,
    });
    expect(await ordersOf()).toMatchObject([{ status: "pending", payment_status: "failed" }]);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { id: cartId } } });
  });

  it("cancels the order of a failed payment when another checkout takes its place", async () => {
    const cartId = await filledCart(ask);
    await checkout(mobileMoney(cartId, "0241234563"), "declined-2");
    await ask("POST", "/cart/items", { body: { item_id: product.id } });
    expect(await checkout(cash(cartId), "instead")).toMatchObject({ status: 200 });
    expect((await ordersOf()).map(({ status }) => status).sort()).toEqual(["cancelled", "pending"]);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 3 });
    expect(await checkout(mobileMoney(cartId, "0241234563"), "declined-2")).toMatchObject({
      status: 409,
    });
  });

  it("survives a provider that does not answer: the same key charges the same order once", async () => {
    const cartId = await filledCart(ask);
    expect(await checkout(mobileMoney(cartId, "0241234564"), "lost")).toMatchObject({
      status: 503,
    });
    expect(await checkout(mobileMoney(cartId, "0241234565"), "lost")).toMatchObject({
      status: 409,
    });
    const answer = await checkout(mobileMoney(cartId, "0241234564"), "lost");
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured", order_number: "ORD-1001" } },
    });
    expect(await ordersOf()).toHaveLength(1);
    expect(
      await rowsOf(
        shop,
        "select status from sandbox_charges where order_id = ?",
        dataOf(answer).order_id,
      ),
    ).toEqual([{ status: "captured" }]);
  });
});
