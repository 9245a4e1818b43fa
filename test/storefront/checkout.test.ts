import { describe, expect, it } from "vitest";
import { dataOf } from "../support/orders.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness, roundTrips, shopper } from "../support/world.ts";
import { breadShop, cash } from "./bread-shop.ts";

const { shop, product, ask, filledCart, checkout, stock, ordersOf } = breadShop();

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
    expect(await eventsOf(shop())).toEqual(["order.created"]);
    const [event] = await rowsOf(
      shop(),
      "select data from events where business_id = ?",
      shop().business.id,
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
              product_id: product().id,
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
    await givenTax(shop(), { ratePercent: "12.5", isInclusive: false });
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
    expect(await eventsOf(shop())).toEqual(["order.created"]);
  });
});
