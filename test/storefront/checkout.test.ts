import { describe, expect, it } from "vitest";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { changeSettings } from "../support/settings.ts";
import { createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import { cashCheckout, setUpBreadShop } from "./create-bread-shop.ts";

const { shop, product, ask, createCart, checkout, stock, ordersOf } = setUpBreadShop();

describe("POST /checkout with cash", () => {
  it("creates an order, reserves its stock, emits order.created and starts a new cart", async () => {
    const cartId = await createCart(ask);
    const answer = await checkout(
      cashCheckout(cartId, { order_type: "dine_in", address_info: { city: "Kumasi" } }),
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          order_id: expect.stringMatching(/^ord_/),
          order_number: "ORD-1001",
          bill_token: expect.stringMatching(/^bt_[0-9a-z]{26}[0-9a-f]{40}$/),
          payment_id: expect.stringMatching(/^pt_/),
          payment_reference: expect.stringMatching(/^ref_/),
          payment_status: "pending",
          requires_authorization: false,
          next_action: { type: "none" },
        },
      },
    });
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await listOutboxEventTypes(shop())).toEqual(["order.created"]);
    const [event] = await selectRows(
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

  it("allows only the session that placed the order and the holder of the bill_token to read it", async () => {
    const { order_id, bill_token } = dataOf(await checkout(cashCheckout(await createCart(ask))));
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
    expect(await read("")).toMatchObject({ status: 200, body: { data: { id: order_id } } });
    const otherShopper = shopper(shop());
    const refusals = await Promise.all([
      otherShopper("GET", `/orders/${order_id}`),
      read("?token=bt_wrong"),
      ask("GET", `/orders/ord_none?token=${bill_token}`),
    ]);
    for (const refusal of refusals) {
      expect(refusal).toMatchObject({ status: 404, body: refusals[0]?.body });
    }
    const foreign = await createBusiness();
    expect(await shopper(foreign)("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      status: 404,
    });
  });

  it("numbers orders consecutively", async () => {
    const numbers: string[] = [];
    for (let sale = 0; sale < 3; sale += 1) {
      numbers.push(dataOf(await checkout(cashCheckout(await createCart(ask, 1)))).order_number);
    }
    expect(numbers).toEqual(["ORD-1001", "ORD-1002", "ORD-1003"]);
  });

  it("charges tax once on the subtotal, exclusive or inclusive", async () => {
    await changeSettings(shop(), { tax: { ratePercent: "12.5", isInclusive: false } });
    const { order_id, bill_token } = dataOf(await checkout(cashCheckout(await createCart(ask))));
    expect(await ask("GET", `/orders/${order_id}?token=${bill_token}`)).toMatchObject({
      body: { data: { subtotal: "50.00", tax_amount: "6.25", total_price: "56.25" } },
    });
  });

  it("makes no more round trips than its budget", async () => {
    const cartId = await createCart(ask);
    const answer = await checkout(cashCheckout(cartId));
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(3);
    expect(roundTrips(answer).do).toBe(1);
  });
});

describe("POST /checkout with an Idempotency-Key", () => {
  it("replays the response byte for byte and sells once", async () => {
    const cartId = await createCart(ask);
    const first = await checkout(cashCheckout(cartId), "key-1");
    const again = await checkout(cashCheckout(cartId), "key-1");
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await ordersOf()).toHaveLength(1);
  });

  it("accepts the key as idempotency_key in the body", async () => {
    const cartId = await createCart(ask);
    const first = await checkout(cashCheckout(cartId, { idempotency_key: "key-2" }));
    const again = await checkout(cashCheckout(cartId), "key-2");
    expect(again.body).toEqual(first.body);
  });

  it("rejects another body with the same key", async () => {
    const cartId = await createCart(ask);
    await checkout(cashCheckout(cartId), "key-3");
    expect(await checkout(cashCheckout(cartId, { order_type: "pickup" }), "key-3")).toMatchObject({
      status: 409,
    });
  });

  it("runs one of several concurrent checkouts and rejects the others", async () => {
    const cartId = await createCart(ask);
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => checkout(cashCheckout(cartId), "key-4")),
      ...Array.from({ length: 5 }, (_, index) => checkout(cashCheckout(cartId), `other-${index}`)),
    ]);
    expect(answers.filter(({ status }) => status === 200)).not.toHaveLength(0);
    expect(answers.every(({ status }) => [200, 404, 409].includes(status))).toBe(true);
    expect(await ordersOf()).toHaveLength(1);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await listOutboxEventTypes(shop())).toEqual(["order.created"]);
  });
});
